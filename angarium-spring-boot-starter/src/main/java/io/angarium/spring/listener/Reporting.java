package io.angarium.spring.listener;

import io.angarium.confirmation.Receipts;
import io.angarium.handler.Delivery;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.listener.internal.form.MessageArguments.Found;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Tells senders by their ids of the messages that a listener knows by something else: its inbox,
 * which tells of the others, has not seen the ids. Thread-safe.
 */
final class Reporting {
  private static final boolean TRANSACTIONS =
      ClassUtils.isPresent(
          "org.springframework.transaction.support.TransactionSynchronizationManager",
          Reporting.class.getClassLoader());

  private final boolean possible;
  private final KeySource.@Nullable ById ids;
  private final Supplier<Optional<Receipts>> receipts;

  Reporting(ListableBeanFactory beans, KeySource keys, Found found, String consumer) {
    boolean byInbox = keys instanceof KeySource.ById;
    boolean own = found.form().type() == Delivery.class; // a handler's: nobody waits for receipts
    this.possible = byInbox || found.position() >= 0;
    this.ids = byInbox || own || !possible ? null : new KeySource.ById(consumer, found.form());
    this.receipts =
        SingletonSupplier.of(
            () -> Optional.ofNullable(beans.getBeanProvider(Receipts.class).getIfAvailable()));
  }

  /** False if the ids are in no argument. */
  boolean isPossible() {
    return possible;
  }

  /**
   * Called when the inbox has returned, repeats included: their first receipt may have been lost.
   *
   * @param messages all that were given
   */
  void processed(List<?> messages, Object[] arguments) {
    KeySource.ById by = ids;
    if (by == null) {
      return;
    }
    receipts
        .get()
        .ifPresent(
            told -> {
              List<InboxKey> keys =
                  messages.stream()
                      .map(message -> by.keyOf(message, arguments))
                      .flatMap(Optional::stream)
                      .toList();
              afterCommit(() -> told.processed(keys));
            });
  }

  private static void afterCommit(Runnable report) {
    if (TRANSACTIONS) {
      OnTransactions.afterCommit(report);
    } else {
      report.run();
    }
  }

  /** Loaded only where there are transactions of Spring. */
  private static final class OnTransactions {
    /** At once, unless the inbox has joined a transaction that goes on. */
    static void afterCommit(Runnable report) {
      if (!TransactionSynchronizationManager.isSynchronizationActive()) {
        report.run();
        return;
      }
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void afterCommit() {
              report.run();
            }
          });
    }
  }
}
