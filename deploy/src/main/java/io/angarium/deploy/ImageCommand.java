package io.angarium.deploy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;

/** Makes the image of the server, as {@code ./angarium image} does. */
public final class ImageCommand {
  private static final PrintStream OUT = System.out;
  private static final PrintStream ERR = System.err;
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  private static final Pattern NAME =
      Pattern.compile("[a-z0-9][a-z0-9._/:-]*:[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

  private static final Set<String> HELP = Set.of("--help", "-help", "-h", "help");

  /** ./angarium prints it from here, too. */
  private static final String USAGE =
      """
      Usage: ./angarium image [--full] [--output=file] [--name=repository:tag]

      Makes a container image of the server with a Java runtime, without Docker and without a
      registry, on Linux with glibc. "docker load -i" reads it. By default
      angarium-server-image.tar in the current folder.

        --full    with Dubbo and RocketMQ
        --output  the file
        --name    what the image is called once it is loaded, by default angarium-server with the
                  version as its tag
      """;

  private ImageCommand() {}

  /**
   * Makes it and ends the JVM if that fails: with status 2 if an argument is not understood.
   *
   * @param args the folder of the repository, and what the usage says
   */
  public static void main(String[] args) {
    boolean full = false;
    String name = ServerImage.nameByDefault();
    Path output = Path.of("angarium-server-image.tar");
    for (int i = 1; i < args.length; i++) {
      String argument = args[i];
      String value = argument.substring(argument.indexOf('=') + 1);
      if (HELP.contains(argument)) {
        OUT.print(USAGE);
        return;
      } else if (argument.equals("--full")) {
        full = true;
      } else if (argument.startsWith("--output=") && !value.isEmpty()) {
        output = Path.of(value);
      } else if (argument.startsWith("--name=") && NAME.matcher(value).matches()) {
        name = value;
      } else {
        ERR.printf(
            "'%s' is no option (expected: --full, --output=file or --name=repository:tag)%n",
            argument);
        System.exit(WRONG_USAGE);
      }
    }
    make(new ServerImage(Path.of(args[0]), full, name), output.toAbsolutePath());
  }

  private static void make(ServerImage image, Path output) {
    try {
      Path work = Files.createTempDirectory("angarium-image");
      try {
        String digest = image.write(output, work);
        OUT.printf(
            "%s has %s, %d MB, %s%n", output, image.name(), Files.size(output) >> 20, digest);
      } finally {
        ServerImage.delete(work);
      }
    } catch (IOException e) {
      ERR.println(
          "The image cannot be made. " + (e instanceof ImageException ? e.getMessage() : e));
      System.exit(FAILED);
    }
  }
}
