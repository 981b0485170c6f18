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
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the messages of a transaction until it is about to commit. Before anything that may take
 * a part of the transaction back, those so far are written, and from then on each at once: so the
 * database takes them back with their part. Not thread-safe.
 */
final class BufferedOutbox implements Outbox, ShownConnection.Observer {
  private final Connection connection;
  private final OutboxWriter writer;
  private final MessageIntake intake;
  private final Handover handover;
  private final List<NewMessage> gathered = new ArrayList<>();
  private Written written = Written.NOTHING;

  /** What was written before the end; null while nothing was. */
  private @Nullable ConnectionOutbox early;

  private boolean ended;
  private long flushedNanos;

  BufferedOutbox(
      Connection connection, OutboxWriter writer, MessageIntake intake, Handover handover) {
    this.connection = connection;
    this.writer = writer;
    this.intake = intake;
    this.handover = handover;
  }

  /** The connection as the work is given it. */
  Connection shown(Connection given) {
    return ShownConnection.of(given, this);
  }

  @Override
  public void before(Object target, String method, Object @Nullable [] arguments) {
    if (early == null && !ended && mayTakeBack(method, arguments)) {
      early = new ConnectionOutbox(connection, writer, intake, handover);
      early.write(gathered);
      gathered.clear();
    }
  }

  /** To set a savepoint, or to leave the watch, is the first step of it. */
  private static boolean mayTakeBack(String method, Object @Nullable [] arguments) {
    return method.equals("setSavepoint")
        || method.equals("unwrap")
        || (arguments != null
            && arguments[0] instanceof String text
            && text.toUpperCase(Locale.ROOT).contains("SAVEPOINT"));
  }

  @Override
  public MessageId send(Message message) {
    return sendAll(List.of(message)).get(0);
  }

  @Override
  public List<MessageId> sendAll(List<Message> messages) {
    if (ended) {
      throw new NoTransactionException(
          "The transaction of this outbox has ended; send within the work given to inTransaction."
              + " Nothing was written");
    }
    if (early != null) {
      return early.sendAll(messages);
    }
    List<NewMessage> accepted =
        messages.stream().map(message -> intake.accept(message, handover)).toList();
    gathered.addAll(accepted);
    return accepted.stream().map(NewMessage::id).toList();
  }

  /** Writes what was gathered; right before the commit. */
  void flush() {
    ended = true;
    flushedNanos = intake.time().nanoTime();
    written = writer.write(connection, gathered);
  }

  /** Hands over what was written; after the commit. */
  void committed() {
    if (early != null) {
      early.committed();
    }
    if (!written.isEmpty()) {
      long sinceFlush = intake.time().nanoTime() - flushedNanos;
      handover.committed(written, Duration.ofNanos(sinceFlush));
    }
  }
}
