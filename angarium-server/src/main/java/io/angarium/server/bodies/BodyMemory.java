package io.angarium.server.bodies;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The memory that bodies of requests take, by what has been received and not by what was announced.
 * One caller holds half of it at most, so that others find room. Thread-safe.
 */
public final class BodyMemory {
  private final long bytesMax;
  private final long callerBytesMax;
  private final Map<String, Long> byCaller = new HashMap<>();

  /** Bodies that are not whole yet, but whose full size is known; the oldest first. */
  private final Set<Part> coming = new LinkedHashSet<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private long taken;

  /**
   * @param bytesMax of all bodies at a time
   */
  public BodyMemory(long bytesMax) {
    this.bytesMax = bytesMax;
    this.callerBytesMax = Math.max(1, bytesMax / 2);
  }

  /** The part of one body, which has nothing yet. */
  public Part open(String caller) {
    return new Part(caller);
  }

  /** What all bodies take now. */
  public long taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** What one body takes. Thread-safe. */
  public final class Part implements AutoCloseable {
    private final String caller;
    private long bytes;
    private long expected;
    private boolean closed;

    private Part(String caller) {
      this.caller = caller;
    }

    String caller() {
      return caller;
    }

    /**
     * Says what the body takes at most when it is whole. From then on it leaves room for those that
     * said so before, and those after it leave room for it, so that none waits for another for
     * ever.
     *
     * @param whole not more than was said before
     */
    public void expect(long whole) {
      lock.lock();
      try {
        expected = Math.min(whole, callerBytesMax);
        coming.add(this);
      } finally {
        lock.unlock();
      }
    }

    /** Says that the body is whole. */
    public void arrived() {
      lock.lock();
      try {
        coming.remove(this);
      } finally {
        lock.unlock();
      }
    }

    /**
     * Takes more; waits until there is room. A body that is alone always has room.
     *
     * @param waitMax longest time to wait, perhaps zero
     * @return false if there was none in time
     */
    public boolean take(long more, Duration waitMax) {
      long left = waitMax.toNanos();
      lock.lock();
      try {
        long wanted = Math.min(more, callerBytesMax - bytes);
        while (!closed && !fits(wanted)) {
          if (left <= 0) {
            return false;
          }
          left = freed.awaitNanos(left);
        }
        if (!closed) {
          add(wanted);
        }
        return true;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      } finally {
        lock.unlock();
      }
    }

    private boolean fits(long wanted) {
      long ofCaller = byCaller.getOrDefault(caller, 0L);
      return taken + wanted <= bytesMax
          && ofCaller + wanted <= callerBytesMax
          && leavesRoom(taken + wanted, bytesMax, false)
          && leavesRoom(ofCaller + wanted, callerBytesMax, true);
    }

    /** Whether each older body can become whole as soon as those are gone that are older still. */
    private boolean leavesRoom(long held, long max, boolean ofCaller) {
      if (!coming.contains(this)) {
        return true;
      }
      long younger = held;
      for (Part each : coming) {
        if (each == this) {
          return true;
        }
        if (!ofCaller || each.caller.equals(caller)) {
          younger -= each.bytes;
          if (each.expected + younger > max) {
            return false;
          }
        }
      }
      return true;
    }

    private void add(long more) {
      bytes += more;
      taken += more;
      byCaller.merge(caller, more, Long::sum);
      byCaller.remove(caller, 0L);
    }

    /** Gives some back, at most what it has. */
    public void giveBack(long some) {
      lock.lock();
      try {
        add(-Math.min(some, bytes));
        freed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /** Gives everything back. May be called twice. */
    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        arrived();
        giveBack(bytes);
      } finally {
        lock.unlock();
      }
    }
  }
}
