package io.angarium.orderstock.demo;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of one of the two services. Not thread-safe: one thread at a time. */
final class Service implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 20;

  private final Process process;
  private final Path log;

  private Service(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it with the class path of this program; its output goes to a file. */
  static Service start(String mainClass, List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    return new Service(
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString()))).start(),
        log);
  }

  /** Whether it ended as if it had been killed, which it does where it is told to crash. */
  boolean hasCrashed() {
    return !process.isAlive() && process.exitValue() == 137;
  }

  /** Throws if it ended by itself. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "A service ended with status " + process.exitValue() + "; its log is " + log);
    }
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
