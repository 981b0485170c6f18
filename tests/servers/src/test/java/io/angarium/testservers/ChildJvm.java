package io.angarium.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A second JVM with the class path of this one, whose output can be read line by line. */
final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  static ChildJvm start(Class<?> main, Map<String, String> environment, String... arguments) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String classPath = System.getProperty("java.class.path");
    ProcessBuilder builder =
        new ProcessBuilder(
            java.toString(),
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath,
            main.getName());
    builder.command().addAll(List.of(arguments));
    // What children use for the purpose of a test is no coverage.
    builder.environment().put("ANGARIUM_SERVER_COVERAGE", "target/server-coverage-of-children");
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    try {
      return new ChildJvm(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads on until a line begins like this, and returns the rest of that line. */
  String await(String prefix) {
    StringBuilder before = new StringBuilder();
    Optional<String> found =
        output
            .lines()
            .peek(line -> before.append(line).append('\n'))
            .filter(line -> line.startsWith(prefix))
            .findFirst();
    return found
        .map(line -> line.substring(prefix.length()))
        .orElseThrow(() -> new AssertionError("No line begins with " + prefix + ":\n" + before));
  }

  /** Everything printed until the end, once the JVM has ended. */
  String remainingOutput() {
    return String.join("\n", output.lines().toList());
  }

  int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("The child JVM does not end");
    }
    return process.exitValue();
  }

  /** Ends the standard input of the JVM. */
  void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the JVM with SIGKILL. */
  void kill() {
    process.destroyForcibly();
  }

  @Override
  public void close() {
    kill();
  }
}
