package io.angarium.half.internal.remote;

import io.angarium.half.CallKind;
import io.angarium.half.HalfStep;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers that come at the same time work in groups. There is a fixed number of turns, for
 * example one for each connection. While all are taken, new callers wait in a queue. A caller that
 * has finished hands its turn to the first waiting caller, which takes others along. So a group is
 * as large as what came during the one before, there is no timer to wait for, and a single caller
 * works by itself. There is no thread either: the callers do the work. Thread-safe.
 *
 * @param <T> a turn
 * @param <M> a caller that may wait
 */
public final class GroupTurns<T, M extends GroupTurns.Member<?, T>> {
  /**
   * The calls of one caller. The leader writes what became of them before it wakes the caller.
   *
   * @param <C> a call
   * @param <T> a turn
   */
  public abstract static class Member<C, T> {
    private final List<C> calls;
    private final CallKind kind;
    private final long bytes;

    /** A turn to lead with, or none if all is done. */
    private final CompletableFuture<Optional<T>> turn = new CompletableFuture<>();

    /** Takes the calls of a caller. */
    protected Member(List<C> calls, Function<C, HalfStep> step, ToLongFunction<C> bytes) {
      this.calls = calls;
      this.kind = CallKind.of(calls, step);
      this.bytes = calls.stream().mapToLong(bytes).sum();
    }

    /** Returns what it calls, in its order. */
    public final List<C> calls() {
      return calls;
    }

    /** Returns what its calls have in common. */
    public final CallKind kind() {
      return kind;
    }

    final long bytes() {
      return bytes;
    }

    final void give(T given) {
      turn.complete(Optional.of(given));
    }

    /** Returns a turn to lead with; null if all is done. */
    final @Nullable T await() {
      return turn.join().orElse(null);
    }

    /** All is done; the leader does not wait for the rest of its group. May be called twice. */
    public final void wake() {
      turn.complete(Optional.empty());
    }
  }

  private final int callsMax;
  private final long bytesMax;
  private final BiPredicate<M, M> together;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<T> free;
  private final Deque<M> queue = new ArrayDeque<>();

  /**
   * Creates one whose turns are all free.
   *
   * @param callsMax calls of a group; a caller with more goes alone
   * @param bytesMax what they may take together; a caller with more goes alone
   * @param together whether a caller that leads takes another one along
   */
  public GroupTurns(
      Collection<? extends T> turns, int callsMax, long bytesMax, BiPredicate<M, M> together) {
    this.free = new ArrayDeque<>(turns);
    this.callsMax = callsMax;
    this.bytesMax = bytesMax;
    this.together = together;
  }

  /**
   * Waits for a turn, not interruptibly, and leads a group with it, or returns when another caller
   * has led. All of a group are awake afterwards, even if the work throws.
   *
   * @param work what to do with the turn, for a group that begins with the caller
   */
  public void run(M own, BiConsumer<T, List<M>> work) {
    T turn = freeOrQueued(own);
    if (turn == null) {
      turn = own.await();
    }
    if (turn != null) {
      lead(turn, own, work);
    }
  }

  private @Nullable T freeOrQueued(M own) {
    lock.lock();
    try {
      T turn = free.poll();
      if (turn == null) {
        queue.add(own);
      }
      return turn;
    } finally {
      lock.unlock();
    }
  }

  private void lead(T turn, M own, BiConsumer<T, List<M>> work) {
    List<M> group = new ArrayList<>();
    group.add(own);
    try {
      gather(own, group);
      work.accept(turn, group);
    } finally {
      passOn(turn);
      group.forEach(Member::wake);
    }
  }

  private void gather(M own, List<M> group) {
    int calls = own.calls().size();
    long bytes = own.bytes();
    lock.lock();
    try {
      Iterator<M> waiting = queue.iterator();
      while (waiting.hasNext()) {
        M next = waiting.next();
        if (together.test(own, next)) {
          calls += next.calls().size();
          bytes += next.bytes();
          if (calls > callsMax || bytes > bytesMax) {
            break;
          }
          group.add(next);
          waiting.remove();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void passOn(T turn) {
    lock.lock();
    try {
      M next = queue.poll();
      if (next == null) {
        free.add(turn);
      } else {
        next.give(turn);
      }
    } finally {
      lock.unlock();
    }
  }

  /** How many callers wait for their turn. */
  public int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }
}
