package io.angarium.messagecentre.orders;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What goes wrong in a transaction. Where it stands still, it leaves a file, by which the
 * demonstration knows when to kill the process. Thread-safe.
 */
@Component
public class Trouble {
  /** What goes wrong. */
  public enum Kind {
    /** Nothing. */
    NONE,
    /** An exception. */
    EXCEPTION,
    /** It stands still while its transaction is open. */
    STILL_BEFORE_COMMIT,
    /** It stands still when its transaction has committed and nobody was told yet. */
    STILL_AFTER_COMMIT
  }

  private final Path sign;

  Trouble(@Value("${shop.sign}") Path sign) {
    this.sign = sign;
  }

  /** Makes it; called within the transaction. */
  void make(Kind kind) {
    switch (kind) {
      case NONE -> {}
      case EXCEPTION -> throw new IllegalStateException("The bank refuses");
      case STILL_BEFORE_COMMIT -> standStill();
      case STILL_AFTER_COMMIT ->
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  standStill();
                }
              });
    }
  }

  private void standStill() {
    try {
      Files.createFile(sign);
      new CountDownLatch(1).await(); // until it is killed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
