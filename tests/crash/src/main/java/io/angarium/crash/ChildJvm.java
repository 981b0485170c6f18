package io.angarium.crash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
}
