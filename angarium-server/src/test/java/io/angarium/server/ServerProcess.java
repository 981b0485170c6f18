package io.angarium.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server as its users start it: a process of its own, which can be killed. */
final class ServerProcess implements AutoCloseable {
  private static final long LIMIT_SECONDS = 120;
  private static final Pattern RUNNING =
      Pattern.compile("Angarium server is running on  (https?://127\\.0\\.0\\.1:\\d+)");

  private final Process process;
  private final Thread reader;

  @SuppressWarnings("JdkObsolete") // written by the reader, read by the test
  private final StringBuffer output = new StringBuffer();

  private final CompletableFuture<String> address = new CompletableFuture<>();

  ServerProcess(Path folder, List<String> options) {
    this(folder, List.of(), options);
  }

  /**
   * @param jvm further options of the JVM
   */
  ServerProcess(Path folder, List<String> jvm, List<String> options) {
    this(folder, command(System.getProperty("java.class.path"), jvm, options), Map.of());
  }

  /**
   * @param classPath in the place of that of the tests
   */
  ServerProcess(Path folder, String classPath, List<String> jvm, List<String> options) {
    this(folder, command(classPath, jvm, options), Map.of());
  }

  /** By a command of its own, such as the script of the repository. */
  static ServerProcess of(Path folder, List<String> command, Map<String, String> environment) {
    return new ServerProcess(folder, command, environment);
  }

  private static List<String> command(String classPath, List<String> jvm, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(jvm);
    command.addAll(List.of("-cp", classPath, Server.class.getName()));
    command.addAll(options);
    return command;
  }

  private ServerProcess(Path folder, List<String> command, Map<String, String> environment) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    try {
      process = builder.directory(folder.toFile()).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (var lines = process.inputReader()) {
      lines.lines().forEach(this::take);
    } catch (IOException | UncheckedIOException e) {
      output.append(e).append('\n'); // it was killed
    }
    address.completeExceptionally(new AssertionError("It did not start:\n" + output));
  }

  private void take(String line) {
    output.append(line).append('\n');
    Matcher running = RUNNING.matcher(line);
    if (running.find()) {
      address.complete(running.group(1));
    }
  }

  /** Waits until it takes calls; says where. */
  String address() {
    try {
      return address.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("It does not run:\n" + output, e);
    }
  }

  /** Waits until it has said something, which is read a little later than it is said. */
  void awaitOutput(String text) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (output.indexOf(text) < 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("It has not said '" + text + "':\n" + output);
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  /** Waits until it has ended by itself and all that it wrote was read; gives its status. */
  int exitStatus() {
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("It still runs:\n" + output);
      }
      reader.join();
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  long pid() {
    return process.pid();
  }

  /** What it has written so far. */
  String output() {
    return output.toString();
  }

  /** Waits until it has ended by itself; says with what status. */
  int ended() {
    return process.onExit().orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join().exitValue();
  }

  /** As a service manager stops it; waits until it has ended, and says with what status. */
  int terminate() {
    process.destroy();
    return ended();
  }

  /** As kill -9 does it; returns when it is gone. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
