package io.angarium.background.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.store.WriteRefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RepeatingTaskTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private final Semaphore rounds = new Semaphore(0);
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void readTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void leaveTheLog() {
    System.setErr(before);
  }

  private RepeatingTask of(RepeatingTask.Round round) {
    return new RepeatingTask(
        "rounds-of-a-test",
        "The work",
        SHORT,
        () -> {
          rounds.release();
          round.run();
        });
  }

  private void await(int count) throws InterruptedException {
    assertThat(rounds.tryAcquire(count, 60, TimeUnit.SECONDS)).isTrue();
  }

  private long warnings() {
    return log.toString(UTF_8)
        .lines()
        .filter(line -> line.contains("WARN") && line.contains("The work failed"))
        .count();
  }

  @Test
  void roundsGoOnWhateverIsThrownAndTheLogTellsEachOutageOnce() throws Exception {
    AtomicInteger round = new AtomicInteger();
    try (RepeatingTask outages =
        of(
            () -> {
              switch (round.incrementAndGet()) {
                case 1 -> throw new IOException("planned 1");
                case 2 -> throw new NoClassDefFoundError("planned 2");
                case 3 -> throw new StackOverflowError("planned 3");
                case 5 -> throw new IllegalStateException("planned 5");
                default -> {
                  // works
                }
              }
            })) {
      outages.start(Duration.ZERO);
      await(7);
    }

    assertThat(warnings()).isEqualTo(2);
    assertThat(log.toString(UTF_8)).contains("planned 1", "planned 5").doesNotContain("planned 2");
  }

  @Test
  void outageThatLastsIsToldAgain() throws Exception {
    try (RepeatingTask outage =
        new RepeatingTask(
            "rounds-of-a-test",
            "The work",
            SHORT,
            SHORT,
            SHORT,
            Duration.ofMinutes(1),
            () -> {
              rounds.release();
              throw new IOException("planned");
            })) {
      outage.start(Duration.ZERO);
      await(4);
    }

    assertThat(warnings()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void outageEndsWhenALongRoundSaysSo() throws Exception {
    AtomicInteger round = new AtomicInteger();
    RepeatingTask[] self = new RepeatingTask[1];
    self[0] =
        of(
            () -> {
              if (round.incrementAndGet() == 2) {
                self[0].worked();
              }
              throw new IOException("planned");
            });
    try (RepeatingTask outages = self[0]) {
      outages.start(Duration.ZERO);
      await(4);
    }

    assertThat(warnings()).isEqualTo(2);
  }

  @Test
  void failureIsAFaultUntilARoundEndsWell() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    try (RepeatingTask outage =
        of(
            () -> {
              if (away.get()) {
                throw new IOException("planned");
              }
            })) {
      assertThat(outage.fault()).isEmpty();
      outage.start(Duration.ZERO);
      await(3);
      assertThat(outage.fault())
          .hasValueSatisfying(fault -> assertThat(fault).contains("The work fails", "planned"));

      away.set(false);
      while (outage.fault().isPresent()) { // await fails in time
        await(1);
      }
    }
  }

  @Test
  void oneFailureIsNoFault() throws Exception {
    RepeatingTask rare = failing(Duration.ofDays(1));
    rare.start(Duration.ZERO);
    await(1);
    rare.close(); // waits for the end of the round

    assertThat(warnings()).isEqualTo(1);
    assertThat(rare.fault()).isEmpty();
  }

  @Test
  void failuresAreTriedAgainSoonerThanThePause() throws Exception {
    try (RepeatingTask rare = failing(SHORT)) {
      rare.start(Duration.ZERO);
      await(3);
      assertThat(rare.fault()).isPresent();
    }
  }

  private RepeatingTask failing(Duration retry) {
    return new RepeatingTask(
        "rounds-of-a-test",
        "The work",
        Duration.ofDays(1),
        retry,
        Duration.ofDays(1),
        Duration.ofDays(1),
        () -> {
          rounds.release();
          throw new IOException("planned");
        });
  }

  @Test
  void roundWithoutProgressIsAFault() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    try (RepeatingTask silent =
        new RepeatingTask(
            "rounds-of-a-test",
            "The work",
            SHORT,
            SHORT,
            SHORT,
            Duration.ofMillis(1),
            () -> {
              rounds.release();
              answer.await();
            })) {
      silent.start(Duration.ZERO);
      await(1);
      while (silent.fault().isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(silent.fault().orElseThrow()).startsWith("The work has made no progress for ");
      answer.countDown();
    }
  }

  @Test
  void refusalIsToldAsOneThatAPersonMends() throws Exception {
    try (RepeatingTask refused =
        of(
            () -> {
              throw new WriteRefusedException("planned", null);
            })) {
      refused.start(Duration.ZERO);
      await(3);
    }

    assertThat(log.toString(UTF_8))
        .containsOnlyOnce("ERROR")
        .contains("The work is refused by the database", "Mend what the error names");
  }

  @Test
  void closeEndsThePauseAndLeavesNoThread() throws Exception {
    RepeatingTask resting =
        new RepeatingTask("rounds-at-rest", "The work", Duration.ofDays(1), rounds::release);
    resting.start(Duration.ZERO);
    resting.start(Duration.ZERO);
    await(1);

    resting.close();
    resting.close();
    resting.start(Duration.ZERO);
    join("rounds-at-rest");

    assertThat(resting.isClosed()).isTrue();
    assertThat(rounds.availablePermits()).isZero();
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("rounds-at-rest");
  }

  /** Its close waits for five seconds at most, which a machine that stalls may take. */
  private static void join(String name) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals(name)) {
        thread.join(60_000);
      }
    }
  }
}
