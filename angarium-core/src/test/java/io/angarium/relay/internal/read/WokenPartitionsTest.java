package io.angarium.relay.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Wakes from many threads: none is lost, and few of them are told of. */
class WokenPartitionsTest {
  private static final int THREADS = 4;
  private static final int WAKES = 50_000;
  private static final Duration LOST_AFTER = Duration.ofSeconds(100);

  private final WokenPartitions woken = new WokenPartitions();

  @Test
  void onlyTheFirstOfSeveralIsToldOf() {
    assertThat(woken.add(1)).isTrue();
    assertThat(woken.add(2)).isFalse();

    assertThat(woken.take()).containsExactlyInAnyOrder(1, 2);
    assertThat(woken.isEmpty()).isTrue();
    assertThat(woken.add(3)).isTrue();
  }

  @Test
  void roundThatTakesNothingNeedsNotBeToldAgain() {
    woken.add(1);

    woken.begin();

    assertThat(woken.add(2)).isFalse();
    assertThat(woken.take()).containsExactlyInAnyOrder(1, 2);
  }

  /** The other thread rests without a limit whenever it knows of nothing. */
  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void noneIsLost() throws Exception {
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    Semaphore signals = new Semaphore(0);
    CountDownLatch all = new CountDownLatch(THREADS * WAKES);
    Thread rounds = new Thread(() -> rounds(seen, signals, all));
    rounds.start();

    List<Thread> wakers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int first = i * WAKES;
      wakers.add(new Thread(() -> wake(first, signals)));
    }
    wakers.forEach(Thread::start);

    assertThat(all.await(LOST_AFTER.toSeconds(), TimeUnit.SECONDS)).isTrue();
    rounds.interrupt();
    rounds.join();
  }

  private void wake(int first, Semaphore signals) {
    for (int i = 0; i < WAKES; i++) {
      if (woken.add(first + i)) {
        signals.release();
      }
      if (i % 16 == 0) {
        LockSupport.parkNanos(1); // lets the other one come to rest
      }
    }
  }

  private void rounds(Set<Integer> seen, Semaphore signals, CountDownLatch all) {
    try {
      while (true) {
        woken.begin();
        for (int partition : woken.isEmpty() ? Set.<Integer>of() : woken.take()) {
          if (seen.add(partition)) {
            all.countDown();
          }
        }
        if (woken.isEmpty()) {
          signals.acquire();
          signals.drainPermits();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
