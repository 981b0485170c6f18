package io.angarium.spring.test;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.spring.SpringOutbox;
import io.angarium.testkit.PublishedMessages;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets the outboxes among the beans record instead of write. Thread-safe, as far as nobody resets
 * it while transactions run.
 */
final class RecordedOutboxes implements BeanPostProcessor {
  private final PublishedMessages published = new PublishedMessages(this::hint);
  private final UniqueBusinessKeys keys = new UniqueBusinessKeys();
  private volatile boolean any;

  PublishedMessages published() {
    return published;
  }

  void reset() {
    published.clear();
    keys.clear();
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof SpringOutbox outbox) {
      any = true;
      return outbox.writer((connection, messages) -> write(messages));
    }
    return bean;
  }

  private CommittedMessages write(List<NewMessage> messages) {
    List<NewMessage> accepted = keys.claim(messages);
    TransactionSynchronizationManager.registerSynchronization(new Recording(accepted));
    return CommittedMessages.NOTHING;
  }

  /** Why something may be missing. */
  private String hint() {
    if (!any) {
      return "No SpringOutbox is a bean of this application context, so nothing can be recorded.";
    }
    return TransactionSynchronizationManager.isActualTransactionActive()
        ? "The transaction of this thread is still open, and what it sends is published by its"
            + " commit. A test method with @Transactional commits by TestTransaction.flagForCommit()"
            + " and TestTransaction.end(), or has @Transactional(propagation = NOT_SUPPORTED)."
        : "";
  }

  /** What a transaction has sent, until it ends. */
  private final class Recording implements TransactionSynchronization {
    private final List<NewMessage> messages;

    Recording(List<NewMessage> messages) {
      this.messages = messages;
    }

    @Override
    public void afterCommit() {
      published.record(messages.stream().map(NewMessage::message).toList());
    }

    @Override
    public void afterCompletion(int status) {
      if (status != STATUS_COMMITTED) {
        keys.release(messages);
      }
    }

    /** Before callbacks that may send, or fail. */
    @Override
    public int getOrder() {
      return Ordered.HIGHEST_PRECEDENCE;
    }
  }
}
