package io.angarium.messagecentre.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process, and where it answers. Not thread-safe: one thread at a time. */
final class Service implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 30;
  private static final long CRASH_MINUTES = 3;

  /** As of a process that is killed with signal 9. */
  private static final int KILLED = 137;

  private final Process process;
  private final String address;
  private final Path log;

  private Service(Process process, String address, Path log) {
    this.process = process;
    this.address = address;
    this.log = log;
  }

  /**
   * Starts it with the class path of this program; its output goes to a file.
   *
   * @param address where it will answer
   * @param environment adds to it
   */
  static Service start(
      String mainClass,
      List<String> arguments,
      String address,
      Path log,
      Consumer<ProcessBuilder> environment)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(mainClass);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    environment.accept(builder);
    return new Service(builder.start(), address, log);
  }

  String address() {
    return address;
  }

  long pid() {
    return process.pid();
  }

  /** Throws if it ended by itself. */
  void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "A process ended with status " + process.exitValue() + "; its log is " + log);
    }
  }

  /** Waits until it has ended as if it had been killed, which it does where it is told to. */
  void awaitCrash() throws InterruptedException {
    if (!process.waitFor(CRASH_MINUTES, TimeUnit.MINUTES) || process.exitValue() != KILLED) {
      throw new IllegalStateException("A process was not killed; its log is " + log);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
