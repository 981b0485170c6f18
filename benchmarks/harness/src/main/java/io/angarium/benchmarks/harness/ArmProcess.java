package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Line;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The JVM of an arm. Not thread-safe: one command at a time. */
final class ArmProcess implements AutoCloseable {
  private final String name;
  private final Path log;
  private final Process process;
  private final BufferedReader answers;
  private final Writer commands;

  private ArmProcess(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * Starts one.
   *
   * @param heapMegabytes the most its heap may take
   * @param logs folder for what its libraries print
   */
  static ArmProcess start(Contestant contestant, int heapMegabytes, Path logs) throws IOException {
    Path module = Path.of("benchmarks", contestant.module(), "target");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    command.add("-classpath");
    command.add(module.resolve("classes") + ":" + Files.readString(module.resolve("classpath")));
    command.add(contestant.program());
    Path log = logs.resolve(contestant.name() + ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new ArmProcess(contestant.name(), log, process);
  }

  long pid() {
    return process.pid();
  }

  /** Sends a command and waits for the answer. */
  Line ask(Line command) {
    begin(command);
    return answer();
  }

  /** Sends a command; {@link #answer} is to follow before the next one. */
  void begin(Line command) {
    try {
      command.writeTo(commands);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " has ended; see " + log, e);
    }
  }

  /**
   * Waits for the answer to the last command.
   *
   * @throws IllegalStateException if the arm failed
   */
  Line answer() {
    try {
      String text = answers.readLine();
      if (text == null) {
        throw new IllegalStateException(name + " has ended; see " + log);
      }
      Line answer = Line.parse(text);
      if (!answer.word().equals("ok")) {
        throw new IllegalStateException(name + ": " + answer.text("why") + "; see " + log);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      commands.close(); // it ends when there are no more commands
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException e) {
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
