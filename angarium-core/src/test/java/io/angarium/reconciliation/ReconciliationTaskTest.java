package io.angarium.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ReconciliationTaskTest {
  /** More than a report holds in a window, and fewer in half of it. */
  private static final int PER_MILLI = 15;

  private static final Duration WINDOW = Duration.ofSeconds(1);

  /** Some keys in each millisecond. */
  private record Steady(String name, int perMilli) implements ReconciledSide {
    @Override
    public void keys(Window window, Consumer<String> each) {
      long from = window.from().toEpochMilli();
      for (long milli = from; milli < window.to().toEpochMilli(); milli++) {
        String prefix = milli + "/";
        IntStream.range(0, perMilli).mapToObj(i -> prefix + i).forEach(each);
      }
    }
  }

  /** Of one node. */
  private static final class Progress implements TaskProgress {
    private volatile @Nullable Instant done;

    @Override
    public Turn begin(String task, Duration lease) {
      return new Turn(1, done);
    }

    @Override
    public boolean proceed(String task, Turn turn, Instant doneUntil, Duration lease) {
      done = doneUntil;
      return true;
    }

    @Override
    public void end(String task, Turn turn) {}
  }

  @Test
  void windowWithMoreDifferencesThanAReportHoldsIsReportedInShorterOnes() throws Exception {
    Reconciliation all =
        new Reconciliation(new Steady("produced", PER_MILLI), new Steady("consumed", 0));
    ReconciliationConfig config =
        ReconciliationConfig.of("all")
            .window(WINDOW, Duration.ZERO)
            .interval(Duration.ofMillis(10));
    Progress progress = new Progress();
    BlockingQueue<Report> queue = new LinkedBlockingQueue<>();
    List<Report> reports = new ArrayList<>();

    try (ReconciliationTask task = ReconciliationTask.start(all, config, progress, queue::add)) {
      assertThat(task).isNotNull();
      for (Duration seen = Duration.ZERO; seen.compareTo(WINDOW.multipliedBy(2)) < 0; ) {
        Report next = Objects.requireNonNull(queue.poll(60, TimeUnit.SECONDS));
        seen = seen.plus(next.window().length());
        reports.add(next);
      }
    }

    join("angarium-reconciliation-all");
    queue.drainTo(reports);
    assertThat(reports)
        .allMatch(Report::complete)
        .allSatisfy(
            report ->
                assertThat((long) report.missing().size())
                    .isEqualTo(PER_MILLI * report.window().length().toMillis()));
    for (int i = 1; i < reports.size(); i++) {
      assertThat(reports.get(i).window().from()).isEqualTo(reports.get(i - 1).window().to());
    }
    assertThat(progress.done).isEqualTo(reports.get(reports.size() - 1).window().to());
  }

  /** Its close waits for five seconds at most, which a machine that stalls may take. */
  private static void join(String name) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals(name)) {
        thread.join(60_000);
      }
    }
  }

  /** It has nothing, and forgets. */
  private record Forgetful(Duration kept) implements ReconciledSide {
    @Override
    public String name() {
      return "stock";
    }

    @Override
    public void keys(Window window, Consumer<String> each) {}

    @Override
    public Optional<Duration> retention() {
      return Optional.of(kept);
    }
  }

  @Test
  void sideThatForgetsSoonerThanWindowsAreLeftOutStopsTheStart() {
    Reconciliation orders =
        new Reconciliation(new Steady("orders", 1), new Forgetful(Duration.ofDays(2)));
    ReconciliationConfig config = ReconciliationConfig.of("orders");

    assertThatThrownBy(
            () ->
                ReconciliationTask.start(
                    orders, config.ageMax(Duration.ofDays(3)), new Progress(), report -> {}))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("reconciliation.age-max: 3d (expected: at most 2d, for which")
        .hasMessageContaining("stock");
    orders.check(config.ageMax(Duration.ofDays(2)));
  }
}
