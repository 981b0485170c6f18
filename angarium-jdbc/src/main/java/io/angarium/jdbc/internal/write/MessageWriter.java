package io.angarium.jdbc.internal.write;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.NoTransactionException;
import io.angarium.StoreException;
import io.angarium.WrongSourceException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import io.angarium.jdbc.internal.dialect.SessionSql;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Source;
import io.angarium.jdbc.internal.sql.FailureText;
import io.angarium.jdbc.internal.sql.OwnTransaction;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages into the transaction of a connection, as {@code OutboxWriter} says. Thread-safe,
 * as far as the connection is left to one thread.
 */
public final class MessageWriter {
  private static final Comparator<NewMessage> BY_BUSINESS_KEY =
      Comparator.comparing((NewMessage message) -> business(message).type())
          .thenComparing(message -> business(message).key());

  private static final Comparator<Inserted> BY_SEQUENCE =
      Comparator.comparingLong(Inserted::sequence);

  /** Payload of one statement: a quarter of the packet that MariaDB takes by default. */
  private static final long INSERT_BYTES_MAX = 4 << 20;

  private final Dialect dialect;
  private final @Nullable Source source;

  /** Writes into transactions of others, whose connections may lead elsewhere. */
  public MessageWriter(OpenDatabase database) {
    this.dialect = database.dialect();
    this.source = database.source();
  }

  /** Writes into transactions of sessions, which know where they lead. */
  public MessageWriter(Dialect dialect) {
    this.dialect = dialect;
    this.source = null;
  }

  /**
   * Writes messages in their order, which becomes the order of their sequences. Call it late in the
   * transaction, after the business statements: their locks decide the order of messages of one
   * key.
   *
   * @param connection with a running transaction; left open, neither committed nor rolled back
   * @param messages may be empty
   * @return what to hand over after the commit; without messages that were dropped because their
   *     business key was used before
   * @throws NoTransactionException if the connection commits by itself; nothing is written
   * @throws DuplicateBusinessKeyException if a message demands a unique business key that exists
   *     already; nothing is written, and the transaction can go on
   * @throws WrongSourceException if the connection leads to other tables than the relay's
   * @throws StoreException if the database refuses; roll the transaction back
   */
  public CommittedMessages write(Connection connection, List<NewMessage> messages) {
    if (messages.isEmpty()) {
      return CommittedMessages.NOTHING;
    }
    try {
      requireTransaction(connection);
      if (source != null) {
        source.require(connection);
      }
      return writeAll(connection, messages);
    } catch (SQLException e) {
      throw new StoreException(
          "Failed writing "
              + messages.size()
              + " messages, the first one "
              + messages.get(0).id()
              + ", on "
              + dialect.database()
              + FailureText.of(e)
              + "; roll the transaction back",
          e);
    }
  }

  /** Begins to watch a transaction, as {@link SessionSql#watch} does. */
  public TransactionWatch watch(Connection connection) {
    try {
      return dialect.sessions().watch(connection);
    } catch (SQLException e) {
      throw OwnTransaction.failure("Failed watching a transaction", e);
    }
  }

  /**
   * Ends that.
   *
   * @throws StoreException if what was done in the transaction would not be committed
   */
  public static void end(TransactionWatch watch) {
    try {
      watch.end();
    } catch (SQLException e) {
      throw new StoreException(
          "The transaction is rolled back and nothing is sent: the database has ended it in the"
              + " middle. It was the victim of a deadlock, or the work swallowed another such error:"
              + " let such exceptions through. Or it ran a statement that commits by itself (DDL):"
              + " run that first, or in a transaction of its own ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  static void requireTransaction(Connection connection) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new NoTransactionException(
          "The connection commits each statement by itself (autoCommit: true); call"
              + " setAutoCommit(false) first, so that the message and the business data commit"
              + " together. Nothing was written");
    }
  }

  private CommittedMessages writeAll(Connection connection, List<NewMessage> messages)
      throws SQLException {
    List<NewMessage> accepted = claimBusinessKeys(connection, messages);
    List<NewMessage> delayed = new ArrayList<>();
    List<NewMessage> immediate = new ArrayList<>(accepted.size());
    for (NewMessage message : accepted) {
      (message.message().notBefore() == null ? immediate : delayed).add(message);
    }
    for (List<NewMessage> part : parts(delayed)) {
      requireAll(part, dialect.sending().insertDelayed(part).update(connection));
    }
    List<StoredMessage> keyless = new ArrayList<>();
    for (List<NewMessage> part : parts(immediate)) {
      keyless.addAll(insert(connection, part));
    }
    return new CommittedMessages(
        keyedPartitions(immediate), keyless, Set.of(), !delayed.isEmpty(), source());
  }

  /** Which outbox it writes to; null if its tables do not tell. */
  @Nullable
  public UUID source() {
    return source == null ? null : source.id();
  }

  private static Set<Integer> keyedPartitions(List<NewMessage> messages) {
    return messages.stream()
        .map(NewMessage::partition)
        .filter(Partitioning::isKeyed)
        .collect(Collectors.toSet());
  }

  /** Inserts messages of any kind; returns the rows of the keyless ones. */
  private List<StoredMessage> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    if (messages.stream().allMatch(message -> Partitioning.isKeyed(message.partition()))) {
      requireAll(messages, dialect.sending().insertKeyed(connection, messages));
      return List.of();
    }
    List<Inserted> rows = new ArrayList<>(dialect.sending().insert(connection, messages));
    requireAll(messages, rows.size());
    rows.sort(BY_SEQUENCE); // databases promise no order in which they return rows
    List<StoredMessage> keyless = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      NewMessage message = messages.get(i);
      if (!Partitioning.isKeyed(message.partition())) {
        keyless.add(stored(message, rows.get(i)));
      }
    }
    return keyless;
  }

  private static StoredMessage stored(NewMessage message, Inserted row) {
    Position position = new Position(message.partition(), row.sequence());
    return new StoredMessage(position, message.id(), message.message(), 0, row.createdAt());
  }

  /** A trigger may leave rows out. */
  private static void requireAll(List<NewMessage> messages, int rows) throws SQLException {
    if (rows != messages.size()) {
      throw new SQLException(rows + " rows inserted (expected: " + messages.size() + ")");
    }
  }

  /**
   * Splits messages into as few parts as the database takes: statements have a limit in rows and
   * one in bytes.
   */
  private List<List<NewMessage>> parts(List<NewMessage> messages) {
    List<List<NewMessage>> parts = new ArrayList<>();
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < messages.size(); i++) {
      long length = bytes(messages.get(i).message());
      if (i > start
          && (i - start >= dialect.sending().insertMax() || bytes + length > INSERT_BYTES_MAX)) {
        parts.add(messages.subList(start, i));
        start = i;
        bytes = 0;
      }
      bytes += length;
    }
    if (start < messages.size()) {
      parts.add(messages.subList(start, messages.size()));
    }
    return parts;
  }

  /** Payload and headers, as a statement has them at most. */
  public static long bytes(Message message) {
    long bytes = message.payload().length;
    for (Map.Entry<String, String> header : message.headers().asMap().entrySet()) {
      bytes += header.getKey().length() + 3L * header.getValue().length();
    }
    return bytes;
  }

  private List<NewMessage> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    List<NewMessage> unique =
        messages.stream().filter(MessageWriter::isUnique).sorted(BY_BUSINESS_KEY).toList();
    if (unique.isEmpty()) {
      return messages;
    }
    Set<UUID> claimed = dialect.sending().claimBusinessKeys(connection, unique);
    List<NewMessage> repeated =
        unique.stream().filter(message -> !claimed.contains(message.id().value())).toList();
    List<NewMessage> refused =
        repeated.stream().filter(m -> business(m).uniqueness() == Uniqueness.REFUSE).toList();
    if (!refused.isEmpty()) {
      dialect.sending().releaseBusinessKeys(unique).update(connection);
      throw duplicate(refused.get(0));
    }
    Set<MessageId> dropped = repeated.stream().map(NewMessage::id).collect(Collectors.toSet());
    return messages.stream().filter(message -> !dropped.contains(message.id())).toList();
  }

  private static boolean isUnique(NewMessage message) {
    BusinessKey business = message.message().business();
    return business != null && business.uniqueness() != Uniqueness.NONE;
  }

  private static BusinessKey business(NewMessage message) {
    return Objects.requireNonNull(message.message().business());
  }

  private static DuplicateBusinessKeyException duplicate(NewMessage message) {
    BusinessKey business = business(message);
    return new DuplicateBusinessKeyException(
        "business key: ("
            + business.type()
            + ", "
            + business.key()
            + ") was sent before and is unique; message "
            + message.id()
            + " and those written with it were not written. Use another key, or IGNORE to drop"
            + " repeats");
  }
}
