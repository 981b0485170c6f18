package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a signal to a family of processes has done when the call returns. */
class LocalProcessTest {
  private static final int CHILDREN = 40;

  /**
   * More that want to run than there are processors: they learn of a signal one after the other.
   */
  private static final String BUSY_FAMILY =
      """
      for i in $(seq %d); do (while :; do :; done) & done
      echo ready
      wait
      """
          .formatted(CHILDREN);

  @Test
  void nothingRunsAnyMoreWhenPauseReturns(@TempDir Path temporary) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("busy"));
    LocalProcess busy = new LocalProcess(List.of("sh", "-c", BUSY_FAMILY), folder, "TERM", "KILL");
    busy.start();
    try {
      await(busy);

      busy.pause();

      assertThat(states(busy)).hasSize(CHILDREN + 1).containsOnly('T');
    } finally {
      busy.close();
    }
  }

  private static void await(LocalProcess process) {
    while (!process.lastOutput().contains("ready")) {
      assertThat(process.ended(5)).as(process.lastOutput()).isFalse();
    }
  }

  private static List<Character> states(LocalProcess process) {
    long pid = process.pid().orElseThrow();
    ProcessHandle parent = ProcessHandle.of(pid).orElseThrow();
    return Stream.concat(Stream.of(parent), parent.descendants())
        .map(member -> state(Path.of("/proc", Long.toString(member.pid()), "stat")))
        .toList();
  }

  private static char state(Path stat) {
    try {
      String line = Files.readString(stat);
      return line.charAt(line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      throw new AssertionError("no state in " + stat, e);
    }
  }
}
