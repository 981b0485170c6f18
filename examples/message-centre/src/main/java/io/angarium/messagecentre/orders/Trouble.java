package io.angarium.messagecentre.orders;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What goes wrong in a transaction. Thread-safe. */
@Component
public class Trouble {
  /** What goes wrong. */
  public enum Kind {
    /** Nothing. */
    NONE,
    /** An exception. */
    EXCEPTION,
    /** The process is gone while its transaction is open. */
    KILLED_BEFORE_COMMIT,
    /** The process is gone when its transaction has committed and nobody was told yet. */
    KILLED_AFTER_COMMIT
  }

  /** As of a process that is killed with signal 9. */
  private static final int KILLED = 137;

  /** Makes it; called within the transaction. */
  void make(Kind kind) {
    switch (kind) {
      case NONE -> {}
      case EXCEPTION -> throw new IllegalStateException("The bank refuses");
      case KILLED_BEFORE_COMMIT -> die();
      case KILLED_AFTER_COMMIT ->
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  die();
                }
              });
    }
  }

  private static void die() {
    Runtime.getRuntime().halt(KILLED); // nothing is closed, committed or rolled back
  }
}
