package io.angarium.benchmarks.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Processor time a process and its children have used, the ended ones included, as Linux counts it
 * (proc(5), {@code /proc/pid/stat}); 0 on other systems. In nanoseconds, by hundredths of a second.
 */
final class ProcessCpu {
  private static final long NANOS_PER_TICK = 10_000_000;
  private static final int USER_TIME = 11;
  private static final int TIMES = 4;

  private ProcessCpu() {}

  /** Of a process alone, without those it started. */
  static long own(long pid) {
    return nanos(pid, 2);
  }

  /** Of a process and all that it started. */
  static long family(long pid) {
    Stream<Long> family =
        Stream.concat(
            Stream.of(pid),
            ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid));
    return family.mapToLong(member -> nanos(member, TIMES)).sum();
  }

  /** Of all that a process started, those that still run. */
  static long descendants(long pid) {
    return ProcessHandle.of(pid).stream()
        .flatMap(ProcessHandle::descendants)
        .mapToLong(child -> nanos(child.pid(), TIMES))
        .sum();
  }

  /** The first {@code times} of user, system, and the ended children's user and system time. */
  private static long nanos(long pid, int times) {
    Path file = Path.of("/proc", Long.toString(pid), "stat");
    try {
      String stat = Files.readString(file);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      LongStream ticks = Stream.of(fields).skip(USER_TIME).limit(times).mapToLong(Long::parseLong);
      return ticks.sum() * NANOS_PER_TICK;
    } catch (IOException e) {
      if (Files.exists(file)) {
        throw new UncheckedIOException(e);
      }
      return 0; // it ended meanwhile, perhaps while it was read, or this is not Linux
    }
  }
}
