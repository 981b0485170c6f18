package io.angarium.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The quickstart as a visitor starts it: a program of its own, with a temporary folder of its own.
 */
final class QuickstartProcess implements AutoCloseable {
  private static final long LIMIT_SECONDS = 240;
  private static final Path COVERAGE =
      Path.of("..", "..", "target", "server-coverage").toAbsolutePath().normalize();
  private static final Pattern OPEN = Pattern.compile("Open {2}http://localhost:(\\d+)");

  private final Path folder;
  private final Path home;
  private final Path working;
  private final Process process;

  @SuppressWarnings("JdkObsolete") // written by the reader, read by the test
  private final StringBuffer output = new StringBuffer();

  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private final Thread reader = new Thread(this::read, "quickstart-output");

  QuickstartProcess(String... arguments) throws IOException {
    // The database may run as another user, who must get through to its own folder.
    folder = Files.createTempDirectory("quickstart-test-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    home = Files.createDirectory(folder.resolve("home"));
    working = Files.createDirectory(folder.resolve("working"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-Duser.home=" + home);
    command.add("-Dangarium.launcher.cache=" + Path.of("target", "servers").toAbsolutePath());
    command.add("-Dangarium.server.coverage=" + COVERAGE);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Quickstart.class.getName());
    command.addAll(List.of(arguments));
    process =
        new ProcessBuilder(command).directory(working.toFile()).redirectErrorStream(true).start();
    reader.start();
  }

  private void read() {
    try (var lines = process.inputReader()) {
      lines.lines().forEach(this::take);
    } catch (IOException | UncheckedIOException e) {
      output.append(e).append('\n');
    }
    port.completeExceptionally(new AssertionError("The quickstart did not start:\n" + output));
  }

  private void take(String line) {
    output.append(line).append('\n');
    Matcher open = OPEN.matcher(line);
    if (open.find()) {
      port.complete(Integer.valueOf(open.group(1)));
    }
  }

  /** Waits until it serves its page; returns the port. */
  int port() throws InterruptedException {
    try {
      return port.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("No page is served:\n" + output, e);
    }
  }

  /** Waits for its end; returns its exit status. */
  int exitStatus() throws InterruptedException {
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("The quickstart does not end:\n" + output);
    }
    reader.join();
    return process.exitValue();
  }

  /** Asks it to end, with the signal that does the same as Ctrl-C and is never ignored. */
  void stop() {
    process.destroy();
  }

  String output() {
    return output.toString();
  }

  List<ProcessHandle> children() {
    return process.descendants().toList();
  }

  /** What it has in its temporary folder of the servers and their data. */
  List<Path> serverFolders() throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(entry -> String.valueOf(entry.getFileName()).startsWith("angarium-"))
          .toList();
    }
  }

  /** What it has written below the home folder and the working folder. */
  List<Path> filesLeftBehind() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path each : List.of(home, working)) {
      try (Stream<Path> entries = Files.list(each)) {
        found.addAll(entries.toList());
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    end();
    try (Stream<Path> rest = Files.walk(folder)) {
      for (Path path : rest.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private void end() {
    try {
      stop();
      exitStatus();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
