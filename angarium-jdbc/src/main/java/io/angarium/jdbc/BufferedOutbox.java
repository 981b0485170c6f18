package io.angarium.jdbc;

import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageIntake;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.store.NewMessage;
import io.angarium.store.Written;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Gathers the messages of a transaction until it is about to commit. Not thread-safe. */
final class BufferedOutbox implements Outbox {
  private final MessageIntake intake;
  private final Handover handover;
  private final List<NewMessage> gathered = new ArrayList<>();
  private Written written = Written.NOTHING;
  private boolean flushed;
  private long flushedNanos;

  BufferedOutbox(MessageIntake intake, Handover handover) {
    this.intake = intake;
    this.handover = handover;
  }

  @Override
  public MessageId send(Message message) {
    return sendAll(List.of(message)).get(0);
  }

  @Override
  public List<MessageId> sendAll(List<Message> messages) {
    if (flushed) {
      throw new NoTransactionException(
          "The transaction of this outbox has ended; send within the work given to inTransaction."
              + " Nothing was written");
    }
    List<NewMessage> accepted =
        messages.stream().map(message -> intake.accept(message, handover)).toList();
    gathered.addAll(accepted);
    return accepted.stream().map(NewMessage::id).toList();
  }

  void flush(OutboxWriter writer, Connection connection) {
    flushed = true;
    flushedNanos = intake.time().nanoTime();
    written = writer.write(connection, gathered);
  }

  /** Hands over what was written; after the commit. */
  void committed() {
    if (!written.isEmpty()) {
      long sinceFlush = intake.time().nanoTime() - flushedNanos;
      handover.committed(written, Duration.ofNanos(sinceFlush));
    }
  }
}
