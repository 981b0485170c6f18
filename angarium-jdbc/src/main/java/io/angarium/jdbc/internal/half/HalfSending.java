package io.angarium.jdbc.internal.half;

import io.angarium.Message;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.write.MessageWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Moves the messages of committed half messages into the outbox, and remembers what is handed over
 * to the relay of this process. One thread, one transaction.
 */
final class HalfSending {
  /** Payloads that are in memory at a time, and again those that are handed over. */
  private static final long BYTES_MAX = 4 << 20;

  /** Where a row with its message has the key. */
  static final int KEY = 14;

  /** Where it has the time before which it is not sent. */
  private static final int DUE = 19;

  private final Connection connection;
  private final Dialect server;
  private final HalfDialect dialect;
  private final MessageRows rows;
  private final Map<UUID, Prepared> read = new HashMap<>();
  private final Set<Integer> keyedPartitions = new HashSet<>();
  private final List<StoredMessage> keyless = new ArrayList<>();
  private long bytesHandedOver;
  private boolean delayed;

  /** A message as it was prepared. */
  private record Prepared(NewMessage message, Duration delay) {}

  /**
   * A half message whose row is held, to be committed.
   *
   * @param payloadBytes of its row
   * @param now by the clock of the database, when it was held; null if it was written just now
   */
  record Commit(AcceptedCall call, int payloadBytes, @Nullable Instant now) {
    long bytes() {
      return Math.max(call.bytes(), payloadBytes);
    }
  }

  HalfSending(Connection connection, Dialect server, HalfDialect dialect, MessageRows rows) {
    this.connection = connection;
    this.server = server;
    this.dialect = dialect;
    this.rows = rows;
  }

  /** What goes to the relay after the commit. */
  CommittedMessages written(@Nullable UUID source) {
    return new CommittedMessages(keyedPartitions, keyless, Set.of(), delayed, source);
  }

  /** What was sent by other ways. */
  void add(CommittedMessages written) {
    keyedPartitions.addAll(written.keyedPartitions());
    keyless.addAll(written.keyless());
    delayed |= written.delayed();
  }

  /** Takes the message of a row with the columns of {@link HalfDialect#messages}. */
  void read(ResultSet row) throws SQLException {
    StoredMessage stored = rows.message(row);
    boolean timed = row.getObject(DUE) != null;
    Message message =
        timed ? stored.message().notBefore(server.instant(row, DUE)) : stored.message();
    NewMessage prepared = new NewMessage(stored.id(), stored.position().partition(), message);
    Duration delay = Duration.ofMillis(row.getLong(DUE + 1));
    read.put(server.uuid(row, KEY), new Prepared(prepared, delay));
  }

  /** Writes messages into the outbox, in their order, some MiB at a time. */
  void send(List<Commit> commits) throws SQLException {
    List<Commit> some = new ArrayList<>();
    long bytes = 0;
    for (Commit commit : commits) {
      long length = commit.bytes();
      if (!some.isEmpty() && bytes + length > BYTES_MAX) {
        sendSome(some, bytes);
        some.clear();
        bytes = 0;
      }
      some.add(commit);
      bytes += length;
    }
    sendSome(some, bytes);
  }

  private void sendSome(List<Commit> commits, long bytes) throws SQLException {
    readAll(commits.stream().map(Commit::call).filter(this::isUnread).toList());
    List<NewMessage> messages = commits.stream().map(this::due).toList();
    CommittedMessages written = new MessageWriter(server).write(connection, messages);
    commits.forEach(commit -> read.remove(commit.call().id()));
    keyedPartitions.addAll(written.keyedPartitions());
    delayed |= written.delayed();
    bytesHandedOver += bytes;
    if (bytesHandedOver <= BYTES_MAX || keyless.isEmpty()) {
      keyless.addAll(written.keyless()); // the relay finds the others
    }
  }

  private boolean isUnread(AcceptedCall call) {
    return call.message() == null && !read.containsKey(call.id());
  }

  private void readAll(List<AcceptedCall> calls) throws SQLException {
    if (!calls.isEmpty()) {
      List<UUID> ids = calls.stream().map(AcceptedCall::id).toList();
      dialect.messages(ids).forEach(connection, this::read);
    }
  }

  private NewMessage due(Commit commit) {
    AcceptedCall call = commit.call();
    if (call.message() != null) { // its commit was remembered
      return due(commit, call.message(), call.delay());
    }
    Prepared prepared = Objects.requireNonNull(read.get(call.id()));
    Duration delay = call.delay().isZero() ? prepared.delay() : call.delay();
    return due(commit, prepared.message(), delay);
  }

  /** The delay counts from now, by the clock of the database. */
  private static NewMessage due(Commit commit, NewMessage message, Duration delay) {
    if (delay.isZero()) {
      return message;
    }
    Instant due = Objects.requireNonNull(commit.now()).plus(delay);
    return new NewMessage(message.id(), message.partition(), message.message().notBefore(due));
  }
}
