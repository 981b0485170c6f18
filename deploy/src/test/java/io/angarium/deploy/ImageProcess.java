package io.angarium.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The entry point of an unpacked image, started as a container is: with the image as its root,
 * which is read-only, and as a user that is not root. Where the kernel permits no such namespace,
 * it is started in the folder, with the Java and the jars of the image.
 */
final class ImageProcess implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;
  private static final String ROOT_USER = "root";

  /** Runs what follows in the root $1, in which /tmp, $2 and /proc are not those of the image. */
  private static final String CONTAINER =
      """
      set -e
      root=$1; shift
      mount --bind "$root" "$root"
      mount -t tmpfs -o exec,mode=1777 tmp "$root/tmp"
      mount --bind "$root/angarium/angarium-data" "$root/angarium/angarium-data"
      mount -t proc proc "$root/proc"
      mount --rbind /dev "$root/dev"
      mount -o remount,bind,ro "$root"
      exec unshare %s --root="$root" --wd=/angarium "$@"
      """;

  private final Process process;
  private final Path output;

  private ImageProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Whether it runs in namespaces of its own. */
  static boolean isContained(Path root) throws IOException, InterruptedException {
    List<String> command = contained(root, List.of(ServerImage.JAVA + "/bin/java", "-version"));
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  static ImageProcess start(
      Path root, List<String> command, Map<String, String> environment, Path output)
      throws IOException, InterruptedException {
    boolean contained = isContained(root);
    ProcessBuilder builder =
        new ProcessBuilder(contained ? contained(root, command) : inTheFolder(root, command));
    builder.environment().keySet().retainAll(List.of("PATH"));
    builder.environment().putAll(environment);
    builder.directory(root.resolve("angarium").toFile());
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return new ImageProcess(builder.start(), output);
  }

  private static List<String> contained(Path root, List<String> command) {
    boolean isRoot = System.getProperty("user.name").equals(ROOT_USER);
    String user = "--setuid=%d --setgid=%1$d".formatted(ServerImage.USER);
    List<String> all = new ArrayList<>(List.of("unshare"));
    if (!isRoot) {
      all.addAll(List.of("--user", "--map-root-user"));
    }
    all.addAll(List.of("--mount", "--pid", "--fork", "--kill-child", "sh", "-c"));
    all.addAll(List.of(CONTAINER.formatted(isRoot ? user : ""), "sh", root.toString()));
    all.addAll(command);
    return all;
  }

  private static List<String> inTheFolder(Path root, List<String> command) throws IOException {
    Path list = root.resolve("angarium/class-path");
    Path moved = root.resolve("angarium/class-path-here");
    Files.writeString(moved, Files.readString(list).replaceAll("(?<=[ :])/", root + "/"));
    return command.stream()
        .map(each -> each.startsWith("@") ? "@" + moved : each.startsWith("/") ? root + each : each)
        .collect(Collectors.toList());
  }

  /** Ends by itself; gives its status. */
  int ended() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("It still runs: " + output());
    }
    return process.exitValue();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGTERM to the server itself, as an engine sends it. */
  void terminate() {
    server().destroy();
  }

  /** The innermost process. */
  private ProcessHandle server() {
    ProcessHandle innermost = process.toHandle();
    for (var child = innermost.children().findFirst();
        child.isPresent();
        child = innermost.children().findFirst()) {
      innermost = child.get();
    }
    return innermost;
  }

  String output() {
    try {
      return Files.readString(output, UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    server().destroyForcibly();
    process.destroyForcibly().onExit().join();
  }
}
