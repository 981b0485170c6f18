package io.angarium.together;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Where work waits while it is shut. Open at first. Thread-safe. */
final class Gate {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition opened = lock.newCondition();
  private boolean open = true;

  void shut() {
    set(false);
  }

  void open() {
    set(true);
  }

  private void set(boolean wanted) {
    lock.lock();
    try {
      open = wanted;
      opened.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Blocks until it is open. */
  void pass() {
    lock.lock();
    try {
      while (!open) {
        opened.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
