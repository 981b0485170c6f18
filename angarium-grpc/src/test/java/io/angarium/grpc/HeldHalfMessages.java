package io.angarium.grpc;

import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Half messages that stand still on demand: calls wait, before or after they took effect. */
final class HeldHalfMessages implements HalfMessages {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final HalfMessages real;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger insideMax = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final Set<HalfKey> failing = ConcurrentHashMap.newKeySet();
  private final Set<HalfKey> forbidden = ConcurrentHashMap.newKeySet();
  private final Set<HalfKey> broken = ConcurrentHashMap.newKeySet();
  private volatile CountDownLatch before = new CountDownLatch(0);
  private volatile CountDownLatch after = new CountDownLatch(0);

  HeldHalfMessages(HalfMessages real) {
    this.real = real;
  }

  /** From now on calls wait before they take effect. */
  void hold() {
    before = new CountDownLatch(1);
  }

  /** From now on calls wait after they took effect. */
  void holdAnswers() {
    after = new CountDownLatch(1);
  }

  /** From now on whatever is together with a call for this key fails with it. */
  void fail(HalfKey key) {
    failing.add(key);
  }

  /** From now on nobody may make calls for this key. */
  void forbid(HalfKey key) {
    forbidden.add(key);
  }

  /** From now on a class is missing for calls for this key. */
  void breakOn(HalfKey key) {
    broken.add(key);
  }

  void release() {
    before.countDown();
    after.countDown();
  }

  /** How many groups of calls are inside now. */
  int inside() {
    return inside.get();
  }

  int insideMax() {
    return insideMax.get();
  }

  /** How many groups of calls there were. */
  int calls() {
    return calls.get();
  }

  void awaitInside(int number) {
    until(() -> inside.get() >= number);
  }

  /** Waits for a condition that must come true soon. */
  static void until(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("it has not come true within " + PATIENCE);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> all) {
    calls.incrementAndGet();
    insideMax.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      await(before);
      if (all.stream().anyMatch(call -> forbidden.contains(call.key()))) {
        throw new NotPermittedException("not for you");
      }
      if (all.stream().anyMatch(call -> failing.contains(call.key()))) {
        throw new StoreException("another transaction holds a key", null);
      }
      if (all.stream().anyMatch(call -> broken.contains(call.key()))) {
        throw new NoClassDefFoundError("org/example/Missing");
      }
      List<HalfAnswer> answers = real.callAll(all);
      await(after);
      return answers;
    } finally {
      inside.decrementAndGet();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("held for too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted while held", e);
    }
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    return real.states(keys);
  }
}
