package io.angarium.benchmarks.harness;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Lines with the time since the start, for those who wait. */
final class Progress {
  private final PrintStream out;
  private final long start = System.nanoTime();

  Progress(PrintStream out) {
    this.out = out;
  }

  void say(String what) {
    Duration since = Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start));
    out.printf("[%02d:%02d] %s%n", since.toMinutes(), since.toSecondsPart(), what);
  }
}
