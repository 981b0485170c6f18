package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Load;
import io.angarium.benchmarks.arm.Workload;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Backlogs of growing size are sent, by a relay started anew each time in a JVM with a small heap.
 * What starting and stopping alone takes (the backlog of 0, measured before each) is taken off, so
 * that the cost of a message can be compared between sizes.
 */
final class BacklogScenario implements Scenario {
  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int HEAP_MEGABYTES = 256;
  private static final int STARTS = 20;
  private static final int LARGE = 1_000_000;
  private static final int LOOKS = 10;

  private final Workload.Shape shape;
  private final List<Integer> sizes;
  private final int enough;
  private final int rounds;

  /**
   * @param sizes of the backlogs, thousands
   * @param enough messages in all after which a size is not measured again in its round
   * @param rounds through all sizes, every second one from the largest to the smallest
   */
  BacklogScenario(Workload.Shape shape, List<Integer> sizes, int enough, int rounds) {
    this.shape = shape;
    this.sizes = List.copyOf(sizes);
    this.enough = enough;
    this.rounds = rounds;
  }

  @Override
  public String name() {
    return "backlog";
  }

  /** Sums of several drains. */
  private static final class Sums {
    private long messages;
    private long nanos;
    private Usage used = Usage.NONE;
    private int drains;
    private long heap;

    private void add(long sent, long took, Usage usage) {
      messages += sent;
      nanos += took;
      used = used.plus(usage);
      drains++;
    }

    /** What one drain took on average. */
    private Usage each() {
      return used.dividedBy(drains);
    }
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    stage.dismiss(ARM); // the heap of a running JVM is what it is
    try (Trial trial = stage.open(ARM, HEAP_MEGABYTES, Map.of())) {
      recorder.say("warming up");
      drain(trial, 0, 300_000, 1);
      AtomicLong next = new AtomicLong(300_000);
      AtomicInteger emptied = new AtomicInteger();
      Turns.take(
          sizes,
          rounds,
          (size, round) -> {
            Sums empty = drain(trial, next.get(), 0, STARTS); // beside each: machines change speed
            noteStart(recorder.round(ARM, "0", emptied.incrementAndGet()), empty);
            int times = Math.max(1, enough / size);
            Sums sums = drain(trial, next.getAndAdd((long) size * times), size, times);
            note(recorder.round(ARM, Integer.toString(size), round), size, times, sums, empty);
          });
      Faults faults = Faults.of(next.get(), trial.receiver().all()).after(trial.unacknowledged());
      recorder.round(ARM, "all", 1).addFaults(faults).done();
    } finally {
      stage.dismiss(ARM);
    }
  }

  private static void noteStart(Recorder.Round round, Sums empty) {
    round
        .add("ms to start and stop", empty.nanos / 1e6 / STARTS)
        .add("database CPU us", empty.each().database() / 1e3)
        .done();
  }

  private static void note(Recorder.Round round, int size, int times, Sums sums, Sums empty) {
    Usage net = sums.used.since(empty.each().times(times));
    double nanos = sums.nanos - (double) empty.nanos / STARTS * times;
    round.add("messages/s", sums.messages / (nanos / 1e9)).addUsage(net, sums.messages);
    if (size >= LARGE) {
      round.add("live heap MB", sums.heap / 1e6);
    }
    round.done();
  }

  private Sums drain(Trial trial, long first, int size, int times) throws Exception {
    Sums sums = new Sums();
    long sent = first;
    for (int i = 0; i < times; i++) {
      if (size > 0) {
        trial.load(Load.fill(shape, sent, size));
      }
      trial.settle();
      sent += size;
      Usage before = trial.usage();
      long start = System.nanoTime();
      sums.heap = Math.max(sums.heap, send(trial, sent - size, size));
      sums.add(size, System.nanoTime() - start, trial.usage().since(before));
    }
    return sums;
  }

  /** Sends a backlog, looking at the heap while a large one is under way; the most it held. */
  private static long send(Trial trial, long from, int size) {
    long heap = 0;
    trial.start();
    int looks = size < LARGE ? 1 : LOOKS;
    for (int look = 1; look <= looks; look++) {
      long wanted = from + (long) size * look / looks;
      long sent = trial.await(wanted, Trial.patience(size));
      if (sent < wanted) {
        throw new IllegalStateException("sent " + sent + " of " + wanted);
      }
      heap = looks == 1 ? 0 : Math.max(heap, trial.heap());
    }
    trial.stop();
    return heap;
  }
}
