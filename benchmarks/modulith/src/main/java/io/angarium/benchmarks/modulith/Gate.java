package io.angarium.benchmarks.modulith;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.springframework.core.task.TaskDecorator;

/**
 * Lets the calls of the listeners through while it is open, and discards them while it is shut, as
 * if the process had ended after the commit and before the call.
 */
final class Gate implements TaskDecorator {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean open;

  @Override
  public Runnable decorate(Runnable task) {
    return () -> {
      lock.readLock().lock();
      try {
        if (open) {
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
