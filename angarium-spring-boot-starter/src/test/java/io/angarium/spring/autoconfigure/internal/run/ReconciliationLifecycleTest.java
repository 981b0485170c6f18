package io.angarium.spring.autoconfigure.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.reconciliation.ReconciliationTask;
import io.angarium.reconciliation.TaskProgress;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReconciliationLifecycleTest {
  /** One after the other, they would hold it up for a minute. */
  private static final int TASKS = 12;

  private final CountDownLatch read = new CountDownLatch(TASKS);
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger starts = new AtomicInteger();

  /** It hangs when it is read. */
  private final class Hanging implements ReconciledSide {
    @Override
    public String name() {
      return "hanging";
    }

    @Override
    public void keys(Window window, Consumer<String> each) {
      read.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Of one node, which never was done. */
  private static final class Progress implements TaskProgress {
    @Override
    public Turn begin(String task, Duration lease) {
      return new Turn(1, null);
    }

    @Override
    public boolean proceed(String task, Turn turn, Instant doneUntil, Duration lease) {
      return true;
    }

    @Override
    public void end(String task, Turn turn) {
      // nobody else wants it
    }
  }

  private ReconciliationTask start(int number) {
    starts.incrementAndGet();
    return ReconciliationTask.start(
        new Reconciliation(new Hanging(), new Hanging()),
        ReconciliationConfig.of("task-" + number).interval(Duration.ofMillis(10)),
        new Progress(),
        report -> {});
  }

  private final ReconciliationLifecycle lifecycle =
      new ReconciliationLifecycle(() -> IntStream.range(0, TASKS).mapToObj(this::start).toList());

  @Test
  void tasksThatHangTogetherHoldUpTheStopNoLongerThanOne() throws Exception {
    lifecycle.start();
    assertThat(read.await(60, TimeUnit.SECONDS)).isTrue();

    long begin = System.nanoTime();
    lifecycle.stop();
    Duration stop = Duration.ofNanos(System.nanoTime() - begin);
    end.countDown();

    assertThat(stop).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(50));
    assertThat(lifecycle.isRunning()).isFalse();
  }

  @Test
  void secondStartDoesNothing() {
    end.countDown();

    lifecycle.start();
    lifecycle.start();
    lifecycle.stop();
    lifecycle.stop();

    assertThat(starts).hasValue(TASKS);
    assertThat(lifecycle.isRunning()).isFalse();
  }

  @Test
  void withoutTasksNothingRuns() {
    ReconciliationLifecycle none = new ReconciliationLifecycle(List::of);

    none.start();

    assertThat(none.isRunning()).isFalse();
  }
}
