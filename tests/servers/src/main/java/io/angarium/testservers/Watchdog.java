package io.angarium.testservers;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A tiny process that ends a server when this JVM dies, however it dies: the pipe between the two
 * closes with the JVM, and the other end then kills the server and deletes its folder.
 */
final class Watchdog {
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      pid=0
      while read -r line; do pid=$line; done
      if [ "$pid" != 0 ]; then
        kill -CONT "$pid"
        kill -"$2" "$pid"
        tries=0
        while kill -0 "$pid" && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
        kill -KILL "$pid"
        rm -rf "$1"
      fi
      """;

  private final BufferedWriter pipe;

  private Watchdog(BufferedWriter pipe) {
    this.pipe = pipe;
  }

  static Watchdog start(Path folder, String signal) {
    List<String> command =
        OwnSession.of(List.of("sh", "-c", SCRIPT, "watchdog", folder.toString(), signal));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return new Watchdog(process.outputWriter());
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot start the watchdog of a server", e);
    }
  }

  void guard(long pid) {
    try {
      pipe.write(pid + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("The watchdog of a server has died", e);
    }
  }

  void guardNothing() {
    guard(0);
  }

  void close() {
    try {
      pipe.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The watchdog of a server has died", e);
    }
  }
}
