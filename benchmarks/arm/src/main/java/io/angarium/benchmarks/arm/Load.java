package io.angarium.benchmarks.arm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Business transactions by several threads, flat out or at a rate. At a rate, a transaction that is
 * late is made up for: the next ones follow at once.
 *
 * @param shape what the messages look like
 * @param threads that work at once
 * @param perTransaction messages of each transaction
 * @param transactions each thread makes at most
 * @param seconds after which no further transaction is begun
 * @param rate transactions per second of all threads; 0 for as many as can be
 * @param first number of the first message
 */
public record Load(
    Workload.Shape shape,
    int threads,
    int perTransaction,
    long transactions,
    int seconds,
    int rate,
    long first) {
  private static final int FILL_MESSAGES_MAX = 1_000;
  private static final int FILL_BYTES_MAX = 4_000_000;
  private static final int ROW_BYTES = 100;

  /**
   * What came of it.
   *
   * @param committed transactions
   * @param failed transactions; none of their messages has a time
   * @param nanos from the first transaction's begin to the last one's end
   * @param next a number above that of every message
   * @param half nanoseconds within which half of the transactions were committed
   * @param most the same for 99 of 100
   */
  public record Result(long committed, long failed, long nanos, long next, long half, long most) {
    Line toLine() {
      return Line.of("ok")
          .with("committed", committed)
          .with("failed", failed)
          .with("nanos", nanos)
          .with("next", next)
          .with("half", half)
          .with("most", most);
    }

    /** Reads the answer of an arm. */
    public static Result of(Line line) {
      return new Result(
          line.number("committed"),
          line.number("failed"),
          line.number("nanos"),
          line.number("next"),
          line.number("half"),
          line.number("most"));
    }

    /** Transactions that were committed in a second. */
    public double perSecond() {
      return committed / (nanos / 1e9);
    }
  }

  /** Commits so many messages as fast as one thread can. */
  public static Load fill(Workload.Shape shape, long first, long messages, int perTransaction) {
    if (messages % perTransaction != 0) {
      throw new IllegalArgumentException(
          "perTransaction: " + perTransaction + " (expected: a divisor of " + messages + ")");
    }
    long transactions = messages / perTransaction;
    return new Load(shape, 1, perTransaction, transactions, Integer.MAX_VALUE, 0, first);
  }

  /** Commits so many messages as fast as one thread can, in large transactions of one size. */
  public static Load fill(Workload.Shape shape, long first, long messages) {
    int fitting = Math.max(1, FILL_BYTES_MAX / (shape.payloadBytes() + ROW_BYTES));
    int perTransaction = Math.min(FILL_MESSAGES_MAX, fitting);
    while (perTransaction > 1 && (perTransaction > messages || messages % perTransaction != 0)) {
      perTransaction--;
    }
    return fill(shape, first, messages, perTransaction);
  }

  /** Transactions at a rate, or flat out if it is 0, until time is up. */
  public static Load steady(
      Workload.Shape shape, int threads, int perTransaction, int rate, int seconds) {
    return new Load(shape, threads, perTransaction, Long.MAX_VALUE / 2, seconds, rate, 0);
  }

  /** The same for so many seconds, with numbers from {@code from} on. */
  public Load part(long from, int forSeconds) {
    return new Load(shape, threads, perTransaction, transactions, forSeconds, rate, from);
  }

  /** The same at a rate that is no lower than this. */
  public Load atLeast(int transactionsPerSecond) {
    int higher = Math.max(rate, transactionsPerSecond);
    return new Load(shape, threads, perTransaction, transactions, seconds, higher, first);
  }

  /**
   * The command for an arm.
   *
   * @param times where the times of the commits are noted; null for nowhere
   */
  public Line toLine(@Nullable Path times) {
    Line line =
        shape
            .write(Line.of("load"))
            .with("threads", threads)
            .with("perTransaction", perTransaction)
            .with("transactions", transactions)
            .with("seconds", seconds)
            .with("rate", rate)
            .with("first", first);
    return times == null ? line : line.with("times", times);
  }

  static Load of(Line line) {
    return new Load(
        Workload.Shape.of(line),
        (int) line.number("threads"),
        (int) line.number("perTransaction"),
        line.number("transactions"),
        (int) line.number("seconds"),
        (int) line.number("rate"),
        line.number("first"));
  }

  Result run(Arm arm, @Nullable Times times) throws Exception {
    ExecutorService producers = Executors.newFixedThreadPool(threads);
    try {
      Run run = new Run(arm, times, System.nanoTime());
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        all.add(producers.submit(() -> run.produce(number)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      return run.result();
    } catch (ExecutionException e) {
      throw new IllegalStateException("A producer stopped: " + e.getCause(), e);
    } finally {
      producers.shutdownNow();
    }
  }

  /** One run of the load. */
  private final class Run {
    private final Arm arm;
    private final @Nullable Times times;
    private final long start;
    private final AtomicLong committed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong next = new AtomicLong(first);
    private final Durations durations = new Durations();

    private Run(Arm arm, @Nullable Times times, long start) {
      this.arm = arm;
      this.times = times;
      this.start = start;
    }

    private Result result() {
      long nanos = System.nanoTime() - start;
      long[] sorted = durations.sorted();
      return new Result(
          committed.get(),
          failed.get(),
          nanos,
          next.get(),
          Durations.percentile(sorted, 50),
          Durations.percentile(sorted, 99));
    }

    private void produce(int thread) {
      Workload workload = new Workload(shape, thread, threads, first);
      Durations.OfThread took = durations.begin();
      long end = start + TimeUnit.SECONDS.toNanos(seconds);
      for (long i = 0; i < transactions; i++) {
        long due = rate == 0 ? 0 : start + (i * threads + thread) * 1_000_000_000L / rate;
        if (!waitUntil(due, end) || !room(i)) {
          return;
        }
        transact(workload.take(perTransaction), took);
      }
    }

    /** False if there would be no place for the times of another transaction. */
    private boolean room(long transaction) {
      return times == null
          || first + (transaction + 1) * perTransaction * threads < times.capacity();
    }

    /** Waits for a time; 0 is past. False if the load is over by then. */
    private boolean waitUntil(long due, long end) {
      if (due == 0) {
        return System.nanoTime() < end;
      }
      if (due >= end) {
        return false;
      }
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      return true;
    }

    private void transact(List<Outgoing> messages, Durations.OfThread took) {
      next.accumulateAndGet(messages.get(messages.size() - 1).number() + 1, Math::max);
      long begin = System.nanoTime();
      try {
        arm.transact(messages.get(0).number(), messages);
      } catch (Exception e) {
        if (failed.getAndIncrement() == 0) {
          e.printStackTrace(); // the first says what is wrong, the rest is counted
        }
        return;
      }
      long now = System.nanoTime();
      took.add(now - begin);
      committed.incrementAndGet();
      if (times != null) {
        messages.stream().filter(m -> !m.poison()).forEach(m -> times.set(m.number(), now));
      }
    }
  }
}
