package io.angarium.canaries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The Maven of the running build, with its local repository. */
final class MavenCommand {
  private static final long LIMIT_MINUTES = 10;

  private MavenCommand() {}

  /** How each command line begins. */
  static List<String> start() {
    boolean windows = System.getProperty("os.name").startsWith("Windows");
    String program = windows ? "mvn.cmd" : "mvn";
    return List.of(
        Path.of(System.getProperty("angarium.maven.home"), "bin", program).toString(),
        "-Dmaven.repo.local=" + System.getProperty("angarium.maven.repository"));
  }

  /** Runs a command in a folder and returns what Maven printed, also in the file output.txt. */
  static String run(List<String> command, Path folder) throws IOException, InterruptedException {
    return run(command, folder, folder.resolve("output.txt"));
  }

  /** Runs a command in a folder and returns what Maven printed, also in the file. */
  static String run(List<String> command, Path folder, Path output)
      throws IOException, InterruptedException {
    Process maven =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!maven.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        throw new IllegalStateException(
            "Maven still runs after " + LIMIT_MINUTES + " min; see " + output);
      }
    } finally {
      maven.destroyForcibly();
    }
    return Files.readString(output);
  }
}
