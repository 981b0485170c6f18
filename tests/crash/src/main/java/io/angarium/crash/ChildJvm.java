package io.angarium.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** How a process of this package is started: small, and quick to come up. */
final class ChildJvm {
  private ChildJvm() {}

  static ProcessBuilder of(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  /** Starts a thread that shows each line of the process's standard output. It ends with it. */
  static Thread read(Process process, Consumer<String> lines) {
    Thread reader = new Thread(() -> readAll(process, lines), "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
    return reader;
  }

  private static void readAll(Process process, Consumer<String> lines) {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.accept(line);
      }
    } catch (IOException e) {
      // the process is gone
    }
  }
}
