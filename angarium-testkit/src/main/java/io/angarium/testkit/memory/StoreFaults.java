package io.angarium.testkit.memory;

import io.angarium.StoreException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What goes wrong between a program and an {@link InMemoryDatabase}. A fault planned for a call
 * strikes once; {@link #unavailable} and {@link #plan} last. Thread-safe.
 */
public final class StoreFaults {
  /** What happens to one call. */
  public enum Fault {
    /** Nothing. */
    NONE,
    /** {@link StoreException}; nothing was done. */
    FAIL,
    /** {@link StoreException} after the work was done and committed. */
    LOSE_ANSWER
  }

  private final Map<StoreCall, Deque<Fault>> planned = new EnumMap<>(StoreCall.class);
  private final Map<StoreCall, Deque<Runnable>> actions = new EnumMap<>(StoreCall.class);
  private Function<StoreCall, Fault> plan = call -> Fault.NONE;
  private boolean unavailable;
  private long calls;
  private long failAt;

  StoreFaults() {}

  /** Lets the next call of a kind fail before it does anything; calls add up. */
  public synchronized StoreFaults failNext(StoreCall call) {
    return plan(call, Fault.FAIL);
  }

  /**
   * Lets the next call of a kind do its work and then fail, as if the connection broke; calls add
   * up.
   */
  public synchronized StoreFaults loseAnswerNext(StoreCall call) {
    return plan(call, Fault.LOSE_ANSWER);
  }

  /** Plans what happens to the next call of a kind that has no plan yet. */
  public synchronized StoreFaults plan(StoreCall call, Fault fault) {
    planned.computeIfAbsent(call, c -> new ArrayDeque<>()).add(fault);
    return this;
  }

  /** Lets the n-th call from now fail, whatever it is; 1 is the next one. */
  public synchronized StoreFaults failCall(int n) {
    failAt = calls + n;
    return this;
  }

  /** Asked at every call that has no other plan. */
  public synchronized StoreFaults plan(Function<StoreCall, Fault> plan) {
    this.plan = plan;
    return this;
  }

  /**
   * Runs something right before the next call of a kind does its work, e.g. moves the clock (a slow
   * call) or lets another node act. Not run while the database is locked.
   */
  public synchronized StoreFaults beforeNext(StoreCall call, Runnable action) {
    actions.computeIfAbsent(call, c -> new ArrayDeque<>()).add(action);
    return this;
  }

  /** Lets every call fail until it is called with false. */
  public synchronized StoreFaults unavailable(boolean down) {
    unavailable = down;
    return this;
  }

  /** How many calls were made so far, failed ones among them. */
  public synchronized long calls() {
    return calls;
  }

  <T> T strike(StoreCall call, Supplier<T> work) {
    takeAction(call).run();
    Fault fault = take(call);
    if (fault == Fault.FAIL) {
      throw new StoreException("Simulated fault at " + call + ": nothing was done", null);
    }
    T answer = work.get();
    if (fault == Fault.LOSE_ANSWER) {
      throw new StoreException(
          "Simulated fault at " + call + ": done, but the answer is lost", null);
    }
    return answer;
  }

  private synchronized Runnable takeAction(StoreCall call) {
    Deque<Runnable> waiting = actions.get(call);
    return waiting == null || waiting.isEmpty() ? () -> {} : waiting.remove();
  }

  private synchronized Fault take(StoreCall call) {
    calls++;
    if (unavailable || calls == failAt) {
      return Fault.FAIL;
    }
    Deque<Fault> waiting = planned.get(call);
    return waiting == null || waiting.isEmpty() ? plan.apply(call) : waiting.remove();
  }
}
