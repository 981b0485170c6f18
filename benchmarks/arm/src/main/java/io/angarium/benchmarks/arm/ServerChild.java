package io.angarium.benchmarks.arm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that an arm calls, in a JVM of its own with the class path of this one. Ends with this
 * JVM at the latest.
 */
public final class ServerChild implements AutoCloseable {
  private static final Pattern RUNNING = Pattern.compile("running on +(http://\\S+)");

  private final Process process;
  private final Thread atExit;
  private final List<String> start;
  private final String address;

  /**
   * @param start what it said until it was running
   */
  private ServerChild(Process process, Thread atExit, List<String> start) {
    this.process = process;
    this.atExit = atExit;
    this.start = start;
    this.address = said(RUNNING);
  }

  /**
   * Starts one and waits until it says where it is running.
   *
   * @throws IllegalStateException if it ends before
   */
  public static ServerChild start(String program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), program));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Thread atExit = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(atExit);
    BufferedReader output = process.inputReader();
    List<String> start = untilRunning(output);
    Thread rest = new Thread(() -> drain(output), "output of " + program);
    rest.setDaemon(true);
    rest.start();
    return new ServerChild(process, atExit, start);
  }

  private static List<String> untilRunning(BufferedReader output) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (RUNNING.matcher(line).find()) {
        return lines;
      }
    }
    throw new IllegalStateException(String.join("\n", lines));
  }

  private static void drain(BufferedReader output) {
    try (output) {
      output.lines().forEach(System.err::println);
    } catch (IOException | UncheckedIOException e) {
      System.err.println(e); // it was stopped
    }
  }

  /** Where it is reached, e.g. {@code http://127.0.0.1:8090}. */
  public String address() {
    return address;
  }

  /** The first group of a pattern, in what it said until it was running. */
  public String said(Pattern pattern) {
    Matcher found = pattern.matcher(String.join("\n", start));
    if (!found.find()) {
      throw new IllegalStateException("The server did not say '" + pattern + "'");
    }
    return found.group(1);
  }

  /** Stops it; returns when it is gone. */
  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }
}
