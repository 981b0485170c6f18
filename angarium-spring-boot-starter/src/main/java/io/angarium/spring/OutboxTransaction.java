package io.angarium.spring;

import io.angarium.NoTransactionException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.WatchedTransactions;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The messages of one running transaction and how far it has come. Bound to the thread from begin
 * to completion, away while the transaction is suspended. Not thread-safe: used by the
 * transaction's thread only.
 */
final class OutboxTransaction implements TransactionSynchronization {
  private static final Object KEY = OutboxTransaction.class;

  private enum Phase {
    OPEN,
    WRITTEN,
    ENDED
  }

  private record Entry(SpringOutbox outbox, NewMessage message) {}

  private record Mark(Object savepoint, int size, boolean marked) {}

  /** What one outbox wrote, and when it began to. */
  private record Part(CommittedMessages written, long nanos) {}

  private final WatchedHolder connection;
  private final boolean readOnly;
  private final List<Entry> entries = new ArrayList<>(4);
  private final List<Mark> marks = new ArrayList<>(0);
  private final Map<SpringOutbox, Part> written = new LinkedHashMap<>(2);
  private Phase phase = Phase.OPEN;

  private OutboxTransaction(WatchedHolder connection, boolean readOnly) {
    this.connection = connection;
    this.readOnly = readOnly;
  }

  /** Begins one, in which all work but the transaction manager's own is watched from now on. */
  static void begin(ConnectionHolder connection, boolean readOnly, WatchedTransactions watches) {
    OutboxTransaction before = current();
    if (before == null || !before.isOn(connection)) {
      WatchedHolder watched = WatchedHolder.of(connection, watches);
      showInstead(connection, watched);
      OutboxTransaction started = new OutboxTransaction(watched, readOnly);
      TransactionSynchronizationManager.bindResource(KEY, started);
      TransactionSynchronizationManager.registerSynchronization(started);
    }
  }

  /** The manager goes on with its own; at the end it takes away whatever is bound. */
  private static void showInstead(ConnectionHolder connection, WatchedHolder watched) {
    for (Map.Entry<Object, Object> resource :
        List.copyOf(TransactionSynchronizationManager.getResourceMap().entrySet())) {
      if (resource.getValue() == connection) {
        TransactionSynchronizationManager.unbindResource(resource.getKey());
        TransactionSynchronizationManager.bindResource(resource.getKey(), watched);
      }
    }
  }

  static @Nullable OutboxTransaction current() {
    return (OutboxTransaction) TransactionSynchronizationManager.getResource(KEY);
  }

  /**
   * The running transaction, if it can take messages for a data source.
   *
   * @throws NoTransactionException if there is none, or it is another data source's, read-only, or
   *     past the point where its messages are written
   */
  static OutboxTransaction open(DataSource dataSource) {
    OutboxTransaction current = current();
    if (current == null
        || TransactionSynchronizationManager.getResource(dataSource) != current.connection) {
      throw refusal(
          TransactionSynchronizationManager.isActualTransactionActive()
              ? "the transaction found here takes no messages. Either it has ended already (a"
                  + " listener after the commit needs a new one), or it is not one of the outbox's"
                  + " data source, or its transaction manager is not watched (one that is no Spring"
                  + " bean needs addListener(new OutboxTransactions()))"
              : "no transaction is active; call send within @Transactional or TransactionTemplate."
                  + " @Transactional has an effect if another bean calls the method, and if there"
                  + " is a bean of PlatformTransactionManager");
    }
    current.checkOpen();
    return current;
  }

  private void checkOpen() {
    if (phase == Phase.ENDED) {
      throw refusal("the transaction has ended already; send before it, or in a new one");
    }
    if (phase == Phase.WRITTEN) {
      throw refusal("the transaction is being committed; send before its commit begins");
    }
    if (readOnly) {
      throw refusal("the transaction is read-only; make it writable");
    }
  }

  private static NoTransactionException refusal(String why) {
    return new NoTransactionException("Nothing was sent: " + why + ".");
  }

  boolean isOn(@Nullable ConnectionHolder other) {
    return connection.held() == other;
  }

  int size() {
    return entries.size();
  }

  void add(SpringOutbox outbox, NewMessage message) {
    entries.add(new Entry(outbox, message));
  }

  /** Writes what was sent: one call per outbox, after the business statements. */
  void write() {
    if (phase != Phase.OPEN) {
      return;
    }
    if (!entries.isEmpty()) {
      flushPersistenceContexts();
      connection.endWatch();
      byOutbox().forEach(this::write);
    }
    phase = Phase.WRITTEN;
  }

  private void write(SpringOutbox outbox, List<NewMessage> messages) {
    long now = outbox.nanoTime();
    written.put(outbox, new Part(outbox.write(connection.held(), messages), now));
  }

  private static void handOver(SpringOutbox outbox, Part part) {
    long sinceWritten = outbox.nanoTime() - part.nanos();
    outbox.committed(part.written(), Duration.ofNanos(sinceWritten));
  }

  // Still open meanwhile: entity callbacks may send.
  private void flushPersistenceContexts() {
    List<DataSource> sources = new ArrayList<>(1);
    for (Entry entry : entries) {
      if (!sources.contains(entry.outbox().dataSource())) {
        sources.add(entry.outbox().dataSource());
      }
    }
    sources.forEach(PersistenceContexts::flush);
  }

  private Map<SpringOutbox, List<NewMessage>> byOutbox() {
    Map<SpringOutbox, List<NewMessage>> messages = new LinkedHashMap<>(2);
    for (Entry entry : entries) {
      messages
          .computeIfAbsent(entry.outbox(), outbox -> new ArrayList<>(entries.size()))
          .add(entry.message());
    }
    return messages;
  }

  @Override
  public void savepoint(Object savepoint) {
    if (savepoint instanceof Savepoint set) {
      connection.markBelow(set);
    }
    marks.add(new Mark(savepoint, entries.size(), connection.isMarked()));
  }

  @Override
  public void savepointRollback(Object savepoint) {
    for (int i = marks.size() - 1; i >= 0; i--) {
      if (marks.get(i).savepoint() == savepoint) {
        entries.subList(marks.get(i).size(), entries.size()).clear();
        if (!marks.get(i).marked()) {
          connection.unmark();
        }
        marks.subList(i + 1, marks.size()).clear();
        return;
      }
    }
  }

  @Override
  public void suspend() {
    TransactionSynchronizationManager.unbindResource(KEY);
  }

  @Override
  public void resume() {
    TransactionSynchronizationManager.bindResource(KEY, this);
  }

  @Override
  public void afterCommit() {
    phase = Phase.ENDED;
    written.forEach(OutboxTransaction::handOver);
  }

  @Override
  public void afterCompletion(int status) {
    phase = Phase.ENDED;
    TransactionSynchronizationManager.unbindResourceIfPossible(KEY);
  }

  /** First after the commit: messages go out before callbacks that may take time. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }
}
