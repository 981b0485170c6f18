package io.angarium.benchmarks.modulith;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.springframework.core.task.TaskDecorator;

/**
 * Lets the calls of the listeners through while it is open, and discards them while it is shut, as
 * if the process had ended after the commit and before the call. What was submitted before it was
 * opened is discarded as well, however late a thread comes to it.
 */
final class Gate implements TaskDecorator {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private volatile boolean open;

  @Override
  public Runnable decorate(Runnable task) {
    boolean wasOpen = open;
    return () -> {
      lock.readLock().lock();
      try {
        if (wasOpen && open) {
          task.run();
        }
      } finally {
        lock.readLock().unlock();
      }
    };
  }

  void open() {
    set(true);
  }

  /** Returns when the calls under way have returned. */
  void shut() {
    set(false);
  }

  private void set(boolean to) {
    lock.writeLock().lock();
    try {
      open = to;
    } finally {
      lock.writeLock().unlock();
    }
  }
}
