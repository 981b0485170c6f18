package io.angarium.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Runs programs to their end. */
final class Shell {
  private Shell() {}

  /** Runs a command in a folder and returns what it printed; failing or hanging commands throw. */
  static String run(Path folder, Duration limit, List<String> command) {
    Result result = attempt(folder, limit, command);
    if (result.exit() != 0) {
      throw new ServerUnavailableException(
          "Command failed with exit code %d: %s%n%s"
              .formatted(result.exit(), String.join(" ", command), result.output()));
    }
    return result.output();
  }

  /** Whether a command exists and ends with exit code 0 within ten seconds. */
  static boolean succeeds(String... command) {
    try {
      return attempt(Path.of("."), Duration.ofSeconds(10), List.of(command)).exit() == 0;
    } catch (ServerUnavailableException e) {
      return false;
    }
  }

  private static Result attempt(Path folder, Duration limit, List<String> command) {
    try {
      Path output = Files.createTempFile("angarium-", ".out");
      try {
        int exit = runInto(output, folder, limit, command);
        return new Result(exit, Files.readString(output, StandardCharsets.ISO_8859_1));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot run " + command.get(0), e);
    }
  }

  private static int runInto(Path output, Path folder, Duration limit, List<String> command)
      throws IOException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(nothing()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    throw new ServerUnavailableException(
        "Command not finished within %s or interrupted: %s"
            .formatted(limit, String.join(" ", command)));
  }

  /** A file to read nothing from, so that no program waits for the terminal. */
  static java.io.File nothing() {
    return Path.of("/dev/null").toFile();
  }

  /** Sends a signal to processes; those that have ended already do not matter. */
  static void signal(String signal, List<Long> pids) {
    StringBuilder kill = new StringBuilder("kill -").append(signal);
    pids.forEach(pid -> kill.append(' ').append(pid));
    attempt(Path.of("/"), Duration.ofSeconds(60), List.of("sh", "-c", kill.toString()));
  }

  /** Waits a moment between two looks at something that cannot call back. */
  static void pause(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }

  /** The last lines of a file, or a note that there is none. */
  static String tail(Path file) {
    try {
      List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 100), lines.size()));
    } catch (IOException e) {
      return "(no output in " + file + ")";
    }
  }

  /** Deletes a folder with everything in it. */
  static void deleteTree(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + folder, e);
    }
  }

  private record Result(int exit, String output) {}
}
