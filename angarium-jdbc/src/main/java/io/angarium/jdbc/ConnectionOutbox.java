package io.angarium.jdbc;

import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageIntake;
import io.angarium.Outbox;
import io.angarium.store.NewMessage;
import io.angarium.store.StoredMessage;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The outbox of one transaction of a connection: every call inserts at once, {@link #sendAll} with
 * one statement. Take a new one for the next transaction, above all after a rollback: what was
 * rolled back must never be handed over. Not thread-safe: one thread at a time, as the connection.
 */
public final class ConnectionOutbox implements Outbox {
  private final Connection connection;
  private final OutboxWriter writer;
  private final MessageIntake intake;
  private final Handover handover;
  private final List<StoredMessage> written = new ArrayList<>();
  private long firstWrittenNanos;

  ConnectionOutbox(
      Connection connection, OutboxWriter writer, MessageIntake intake, Handover handover) {
    this.connection = connection;
    this.writer = writer;
    this.intake = intake;
    this.handover = handover;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Call it after the business statements of the transaction. If the message is dropped because
   * its business key was sent before, the id returned belongs to no message.
   */
  @Override
  public MessageId send(Message message) {
    return sendAll(List.of(message)).get(0);
  }

  @Override
  public List<MessageId> sendAll(List<Message> messages) {
    List<NewMessage> accepted =
        messages.stream().map(message -> intake.accept(message, handover)).toList();
    if (written.isEmpty()) {
      firstWrittenNanos = intake.time().nanoTime();
    }
    written.addAll(writer.write(connection, accepted));
    return accepted.stream().map(NewMessage::id).toList();
  }

  /**
   * Hands the messages written since the last call to the relay of this process. Call it after the
   * commit and only then; without it they are sent a little later. Never throws.
   */
  public void committed() {
    List<StoredMessage> messages = List.copyOf(written);
    written.clear();
    if (!messages.isEmpty()) {
      long sinceFirst = intake.time().nanoTime() - firstWrittenNanos;
      handover.committed(messages, Duration.ofNanos(sinceFirst));
    }
  }
}
