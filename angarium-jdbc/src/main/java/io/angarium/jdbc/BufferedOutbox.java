package io.angarium.jdbc;

import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.sql.ShownConnection;
import io.angarium.jdbc.internal.write.MessageWriter;
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
  private final Connection watched;
  private final MessageWriter writer;
  private final MessageIntake intake;
  private final Handover handover;
  private final List<NewMessage> gathered = new ArrayList<>();
  private CommittedMessages written = CommittedMessages.NOTHING;

  /** What was written before the end; null while nothing was. */
  private @Nullable ConnectionOutbox early;

  /** Why messages that were accepted are missing, whatever the work made of it. */
  private @Nullable RuntimeException failure;

  private boolean ended;
  private long flushedNanos;

  /**
   * The outbox of a transaction.
   *
   * @param watched the connection as somebody watches it until the work has returned
   */
  BufferedOutbox(
      Connection connection,
      Connection watched,
      MessageWriter writer,
      MessageIntake intake,
      Handover handover) {
    this.connection = connection;
    this.watched = watched;
    this.writer = writer;
    this.intake = intake;
    this.handover = handover;
  }

  /** The connection as the work is given it. */
  Connection shown() {
    return ShownConnection.of(watched, this);
  }

  @Override
  public void before(Object target, String method, Object @Nullable [] arguments) {
    if (early == null && !ended && mayTakeBack(method, arguments)) {
      early = new ConnectionOutbox(watched, writer, intake, handover);
      List<NewMessage> messages = List.copyOf(gathered);
      gathered.clear(); // a part of them may be written though it fails
      try {
        early.write(messages);
      } catch (RuntimeException e) {
        failure = e;
        throw e;
      }
    }
  }

  /** To set a savepoint, or to leave the watch, is the first step of it. */
  private static boolean mayTakeBack(String method, Object @Nullable [] arguments) {
    return switch (method) {
      case "setSavepoint", "unwrap", "prepareCall" -> true;
      case "prepareStatement", "addBatch" -> setsSavepoint(arguments);
      default -> method.startsWith("execute") && setsSavepoint(arguments);
    };
  }

  private static boolean setsSavepoint(Object @Nullable [] arguments) {
    return arguments != null
        && arguments[0] instanceof String text
        && text.toUpperCase(Locale.ROOT).contains("SAVEPOINT");
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
    List<NewMessage> accepted =
        messages.stream().map(message -> intake.accept(message, handover)).toList();
    if (early == null) {
      gathered.addAll(accepted);
    } else {
      writeAtOnce(early, accepted);
    }
    return accepted.stream().map(NewMessage::id).toList();
  }

  private void writeAtOnce(ConnectionOutbox open, List<NewMessage> messages) {
    try {
      open.write(messages);
    } catch (DuplicateBusinessKeyException e) {
      throw e; // nothing was written, and the sender is told
    } catch (RuntimeException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /**
   * Writes what was gathered; right before the commit.
   *
   * @throws RuntimeException also if something that was to be written before was not
   */
  void flush() {
    ended = true;
    if (failure != null) {
      throw failure;
    }
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
