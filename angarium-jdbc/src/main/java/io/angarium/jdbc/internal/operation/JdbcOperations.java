package io.angarium.jdbc.internal.operation;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageRow;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.desk.AuditRows;
import io.angarium.jdbc.internal.desk.JdbcMessageActs;
import io.angarium.jdbc.internal.desk.JdbcMessageBrowser;
import io.angarium.jdbc.internal.desk.JdbcPauses;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.operation.FoundOperations.Found;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationStore;
import io.angarium.operation.internal.OperationRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The operations of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcOperations implements OperationDesk, OperationStore {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcOperations.class);

  /** The most refusals of one statement. */
  private static final int REFUSALS_AT_ONCE = 100;

  /** The most operations that are read at once to be forgotten. */
  private static final int FORGOTTEN_AT_ONCE = 100;

  private final OpenDatabase database;
  private final Dialect server;
  private final OperationDialect dialect;
  private final JdbcMessageBrowser messages;
  private final JdbcPauses pauses;
  private final JdbcMessageActs acts;
  private final AuditRows audit;
  private final FoundOperations rows;

  public JdbcOperations(OpenDatabase database, JdbcMessageBrowser messages) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new OperationDialect(server);
    this.messages = messages;
    this.pauses = new JdbcPauses(database);
    this.acts = new JdbcMessageActs(database, messages, pauses, MessageIntake.of(null));
    this.audit = new AuditRows(server);
    this.rows = new FoundOperations(server);
  }

  // ---- for persons

  @Override
  public Operation begin(OperationPlan plan) {
    return transaction(
        "beginning an operation",
        connection -> {
          Instant now = pauses.lock(connection); // one person at a time
          Optional<Found> there = one(connection, dialect.find(plan.id()));
          return there.isPresent()
              ? OperationRow.requireSame(there.get().row().operation(), plan)
              : add(connection, OperationRow.begun(plan, now));
        });
  }

  private Operation add(Connection connection, OperationRow row) throws SQLException {
    OperationRow.requireFew(dialect.open().query(connection, read -> read.getLong(1)).get(0));
    dialect.add(row).update(connection);
    audit.add(connection, List.of(row.beginEntry()));
    return row.operation();
  }

  @Override
  public Optional<Operation> find(UUID id) {
    return read("reading an operation", connection -> one(connection, dialect.find(id)))
        .map(found -> found.row().operation());
  }

  @Override
  public List<Operation> newest(int limit) {
    OperationRow.requireLimit(limit);
    return read(
        "reading operations",
        connection ->
            dialect.newest(limit).query(connection, rows::known).stream()
                .flatMap(Optional::stream)
                .toList());
  }

  @Override
  public boolean change(UUID id, Change change, ActBy by) {
    boolean changed =
        change(id, found -> found.row().changed(change, found.now()), row -> row.entry(by, change));
    if (changed) {
      LOG.info(
          "Operation {}: {} by {}, reason '{}'",
          id,
          change,
          by.decision().by(),
          by.decision().reason());
    }
    return changed;
  }

  @Override
  public boolean rate(UUID id, int rate, ActBy by) {
    OperationPlan.requireRate(rate);
    return change(
        id,
        found -> {
          Operation operation = found.row().operation();
          boolean ended = operation.state().isEnd();
          return ended ? null : found.row().plan(operation.plan().rate(rate));
        },
        row -> row.rateEntry(by));
  }

  /** What becomes of an operation; null if nothing does. */
  @FunctionalInterface
  private interface Changing {
    @Nullable OperationRow of(Found found);
  }

  @FunctionalInterface
  private interface Entry {
    AuditEntry of(OperationRow changed);
  }

  private boolean change(UUID id, Changing changing, Entry entry) {
    return transaction(
        "changing an operation",
        connection -> {
          Found found = one(connection, dialect.lock(id)).orElse(null);
          OperationRow changed = found == null ? null : changing.of(found);
          if (found == null || changed == null) {
            return false;
          }
          write(connection, found, changed);
          audit.add(connection, List.of(entry.of(changed)));
          return true;
        });
  }

  @Override
  public List<Refusal> refusals(UUID id) {
    return read(
        "reading what an operation left alone",
        connection ->
            dialect
                .refusals(id)
                .query(
                    connection,
                    row -> new Refusal(new MessageId(server.uuid(row, 1)), row.getString(2))));
  }

  @Override
  public BoundedCount diedAgain(UUID id) {
    Operation operation = find(id).orElse(null);
    if (operation == null || operation.plan().kind() != OperationKind.REQUEUE) {
      return BoundedCount.NONE;
    }
    MessagePage dead = messages.search(OperationRow.againDead(operation, DIED_AGAIN_MAX));
    List<MessageId> ids = dead.rows().stream().map(MessageRow::id).toList();
    if (ids.isEmpty()) {
      return new BoundedCount(0, dead.next() != null);
    }
    return read(
        "counting messages that are dead again",
        connection ->
            new BoundedCount(
                dialect.requeuedBy(id, ids).query(connection, row -> row.getLong(1)).get(0),
                dead.next() != null));
  }

  // ---- for nodes

  @Override
  public List<Turn> take(String node, Duration lease) {
    List<UUID> free =
        read(
            "looking for operations",
            connection -> dialect.free().query(connection, row -> server.uuid(row, 1)));
    List<Turn> turns = new ArrayList<>();
    for (UUID id : free) {
      try {
        transaction("taking an operation", connection -> taken(connection, id, node, lease))
            .ifPresent(turns::add);
      } catch (IllegalArgumentException e) {
        rows.unreadable(id, e);
      }
    }
    return turns;
  }

  private Optional<Turn> taken(Connection connection, UUID id, String node, Duration lease)
      throws SQLException {
    Optional<Found> free =
        one(connection, dialect.lock(id)).filter(found -> found.row().isFree(found.now()));
    if (free.isEmpty()) {
      return Optional.empty();
    }
    OperationRow taken = free.get().row().taken(node, free.get().now(), lease);
    write(connection, free.get(), taken);
    return Optional.of(new Turn(id, taken.token()));
  }

  @Override
  public Optional<Operation> step(
      Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
    messages.askForTables();
    return transaction(
        "carrying out an operation",
        connection -> {
          Optional<Found> mine =
              one(connection, dialect.lock(turn.operation()))
                  .filter(found -> found.row().token() == turn.token())
                  .filter(found -> found.row().operation().state() == State.RUNNING);
          return mine.isEmpty()
              ? Optional.empty()
              : Optional.of(step(connection, mine.get(), messagesMax, lease, refusal));
        });
  }

  private Operation step(
      Connection connection, Found found, int messagesMax, Duration lease, @Nullable String refusal)
      throws SQLException {
    OperationRow row = found.row();
    OperationPlan plan = row.operation().plan();
    MessagePage page = messages.search(connection, row.query(messagesMax));
    List<MessageRow> meant = meant(connection, plan, page.rows());
    OperationRow after;
    if (waits(connection, row, meant)) {
      after = row.heldUp(found.now());
    } else {
      ActResult result = act(connection, plan, meant, refusal);
      refuse(connection, row.operation(), result.refused());
      after = row.stepped(page, result, found.now(), lease);
    }
    write(connection, found, after);
    if (after.operation().state().isEnd()) {
      audit.add(connection, List.of(after.endEntry()));
    }
    return after.operation();
  }

  private List<MessageRow> meant(Connection connection, OperationPlan plan, List<MessageRow> found)
      throws SQLException {
    UUID undoes = plan.undoes();
    if (undoes == null || found.isEmpty()) {
      return found;
    }
    Set<UUID> its =
        dialect
            .discardedBy(undoes, found.stream().map(MessageRow::id).toList())
            .query(connection, row -> server.uuid(row, 1))
            .stream()
            .collect(Collectors.toSet());
    return found.stream().filter(row -> its.contains(row.id().value())).toList();
  }

  private boolean waits(Connection connection, OperationRow row, List<MessageRow> meant)
      throws SQLException {
    return row.operation().plan().kind() == OperationKind.REQUEUE
        && row.waitsFor(meant, pauses.inForce(connection));
  }

  private ActResult act(
      Connection connection, OperationPlan plan, List<MessageRow> meant, @Nullable String refusal)
      throws SQLException {
    if (meant.isEmpty()) {
      return new ActResult(List.of(), List.of(), Map.of());
    }
    return refusal == null
        ? acts.act(connection, plan.kind(), meant, plan.by())
        : new ActResult(
            List.of(),
            List.of(),
            meant.stream().collect(Collectors.toMap(MessageRow::id, r -> refusal, (a, b) -> a)));
  }

  private void refuse(Connection connection, Operation before, Map<MessageId, String> refused)
      throws SQLException {
    long number = before.counts().refused();
    List<Refusal> kept =
        refused.entrySet().stream()
            .map(each -> new Refusal(each.getKey(), each.getValue()))
            .limit(Math.max(0, Operation.REFUSED_MAX - number))
            .toList();
    for (int from = 0; from < kept.size(); from += REFUSALS_AT_ONCE) {
      List<Refusal> some = kept.subList(from, Math.min(kept.size(), from + REFUSALS_AT_ONCE));
      dialect.refuse(before.plan().id(), number + from, some).update(connection);
    }
  }

  @Override
  public void release(Turn turn) {
    transaction(
        "giving an operation back",
        connection -> {
          Optional<Found> mine =
              one(connection, dialect.lock(turn.operation()))
                  .filter(found -> found.row().token() == turn.token());
          if (mine.isPresent()) {
            write(connection, mine.get(), mine.get().row().released(mine.get().now()));
          }
          return mine;
        });
  }

  // ---- retention

  /**
   * Forgets operations that ended long ago, one after the other.
   *
   * @param progress runs before each
   * @return how many
   */
  public long forget(Duration age, Runnable progress) {
    long forgotten = 0;
    List<UUID> some;
    do {
      some =
          read(
              "looking for old operations",
              connection ->
                  dialect
                      .ended(age, FORGOTTEN_AT_ONCE)
                      .query(connection, row -> server.uuid(row, 1)));
      for (UUID id : some) {
        progress.run();
        forgotten +=
            transaction(
                "forgetting an operation",
                connection -> {
                  dialect.forgetRefusals(id).update(connection);
                  return dialect.forget(id).update(connection);
                });
      }
    } while (some.size() == FORGOTTEN_AT_ONCE);
    return forgotten;
  }

  /** Writes a locked row; fails if it was changed in between. */
  private void write(Connection connection, Found before, OperationRow after) throws SQLException {
    if (dialect.change(before.row(), after).update(connection) != 1) {
      throw new StoreException(
          "Operation %s was changed by somebody at once; nothing was done. Try again."
              .formatted(after.operation().plan().id()),
          null);
    }
  }

  private Optional<Found> one(Connection connection, Sql sql) throws SQLException {
    return sql.query(connection, rows::found).stream().findFirst();
  }

  private <T> T transaction(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.WRITE)) {
      return session.transaction(doing, work);
    }
  }

  private <T> T read(String doing, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call(doing, work);
    }
  }
}
