package io.angarium.jdbc;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.write.MessageWriter;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The outbox of one transaction of a connection: every call inserts at once, {@link #sendAll} with
 * one statement. So a message goes with the transaction, or with the savepoint, that it was sent
 * in. Not thread-safe: one thread at a time, as the connection.
 */
public final class ConnectionOutbox implements Outbox {
  private final Connection connection;
  private final MessageWriter writer;
  private final MessageIntake intake;
  private final Handover handover;
  private final Set<Integer> keyedPartitions = new HashSet<>();
  private final Set<Position> keyless = new HashSet<>();
  private boolean delayed;
  private long firstWrittenNanos;

  ConnectionOutbox(
      Connection connection, MessageWriter writer, MessageIntake intake, Handover handover) {
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
    write(accepted);
    return accepted.stream().map(NewMessage::id).toList();
  }

  void write(List<NewMessage> messages) {
    if (keyedPartitions.isEmpty() && keyless.isEmpty() && !delayed) {
      firstWrittenNanos = intake.time().nanoTime();
    }
    CommittedMessages written = writer.write(connection, messages);
    delayed |= written.delayed();
    keyedPartitions.addAll(written.keyedPartitions());
    written.keyless().forEach(row -> keyless.add(row.position()));
  }

  /**
   * Tells the relay of this process where messages were written since the last call. Call it after
   * the commit; without it they are sent a little later, those without a key some seconds later.
   * The relay reads their rows first, so that what was rolled back is never sent. Never throws.
   */
  public void committed() {
    CommittedMessages written =
        new CommittedMessages(keyedPartitions, List.of(), keyless, delayed, writer.source());
    delayed = false;
    keyedPartitions.clear();
    keyless.clear();
    if (!written.isEmpty()) {
      long sinceFirst = intake.time().nanoTime() - firstWrittenNanos;
      handover.committed(written, Duration.ofNanos(sinceFirst));
    }
  }
}
