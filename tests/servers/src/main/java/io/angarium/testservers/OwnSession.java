package io.angarium.testservers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Detaches a program from the terminal, so that Ctrl-C reaches the tests and not their servers. */
final class OwnSession {
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private OwnSession() {}

  /** The same command in a session of its own, where the platform has the tool for it. */
  static List<String> of(List<String> command) {
    List<String> detached = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      detached.add(SETSID.toString());
    }
    detached.addAll(command);
    return List.copyOf(detached);
  }
}
