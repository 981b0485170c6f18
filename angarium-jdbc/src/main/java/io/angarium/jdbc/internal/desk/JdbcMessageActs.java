package io.angarium.jdbc.internal.desk;

import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageRow;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.write.DeadLetterActs;
import io.angarium.operation.OperationKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What persons decide about the messages of one database. Takes a connection for each call; an act
 * holds the leases of the partitions concerned, so that it never crosses a write of the owner, and
 * commits with its entries of the audit. Thread-safe.
 */
public final class JdbcMessageActs implements MessageActs {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcMessageActs.class);

  /** The acts: their names in the audit, and what errors and the log say. */
  private enum Kind {
    REQUEUE("requeue", "requeueing dead letters", "dead letters requeued"),
    DISCARD("discard", "discarding dead letters", "dead letters discarded"),
    RESTORE("restore", "restoring discarded messages", "discarded messages restored"),
    CANCEL("cancel", "cancelling delayed messages", "delayed messages cancelled"),
    SEND_NOW("sendNow", "making messages due at once", "messages made due at once"),
    BURY("bury", "burying messages", "messages buried"),
    CORRECT("correct", "correcting dead letters", "dead letters corrected and requeued");

    private final String act;
    private final String doing;
    private final String done;

    Kind(String act, String doing, String done) {
      this.act = act;
      this.doing = doing;
      this.done = done;
    }
  }

  /** Acts on messages and returns those that it changed. */
  @FunctionalInterface
  private interface Work {
    List<Changed> on(Connection connection, List<UUID> ids) throws SQLException;
  }

  private final OpenDatabase database;
  private final ActDialect dialect;
  private final DeadLetterActs letters;
  private final DueActs due;
  private final DiscardedActs discarded;
  private final Burials burials;
  private final Corrections corrections;
  private final MessageIntake intake;
  private final AuditRows audit;

  /** Creates the acts; the intake checks what persons change. */
  public JdbcMessageActs(
      OpenDatabase database, MessageBrowser messages, JdbcPauses pauses, MessageIntake intake) {
    Dialect server = database.dialect();
    this.database = database;
    this.dialect = new ActDialect(server);
    this.letters = new DeadLetterActs(server);
    this.due = new DueActs(server);
    this.discarded = new DiscardedActs(server);
    this.burials = new Burials(server, messages, pauses);
    this.corrections = new Corrections(server, intake.partitioning());
    this.intake = intake;
    this.audit = new AuditRows(server);
  }

  @Override
  public ActResult requeue(Collection<MessageId> dead, ActBy by) {
    return act(Kind.REQUEUE, dead, by, work(OperationKind.REQUEUE, by));
  }

  @Override
  public ActResult discard(Collection<MessageId> dead, ActBy by) {
    return act(Kind.DISCARD, dead, by, work(OperationKind.DISCARD, by));
  }

  @Override
  public ActResult restore(Collection<MessageId> ids, ActBy by) {
    return act(Kind.RESTORE, ids, by, work(OperationKind.RESTORE, by));
  }

  @Override
  public ActResult cancel(Collection<MessageId> delayed, ActBy by) {
    return act(Kind.CANCEL, delayed, by, work(OperationKind.CANCEL, by));
  }

  private Work work(OperationKind kind, ActBy by) {
    return switch (kind) {
      case REQUEUE -> (connection, ids) -> changed(requeue(connection, ids, by));
      case DISCARD ->
          (connection, ids) ->
              changed(letters.change(connection, ids, locked -> discard(connection, locked, by)));
      case RESTORE -> (connection, ids) -> discarded.restore(connection, ids, by);
      case CANCEL -> (connection, ids) -> due.cancel(connection, ids, by);
      case BURY ->
          throw new IllegalArgumentException("BURY (expected: a kind that needs ids only)");
    };
  }

  private List<UUID> requeue(Connection connection, List<UUID> ids, ActBy by) throws SQLException {
    return letters.change(
        connection, ids, locked -> letters.requeue(connection, locked, by.decision().by()));
  }

  private void discard(Connection connection, List<UUID> locked, ActBy by) throws SQLException {
    int copied = dialect.discardDead(locked, by).update(connection);
    CopiedRows.require("Dead letters", copied, letters.delete(connection, locked));
  }

  private static List<Changed> changed(List<UUID> ids) {
    return ids.stream().map(Changed::of).toList();
  }

  @Override
  public ActResult sendNow(Collection<MessageId> delayedOrRetrying, ActBy by) {
    return act(
        Kind.SEND_NOW,
        delayedOrRetrying,
        by,
        (connection, ids) -> due.sendNow(connection, ids, by));
  }

  @Override
  public ActResult bury(Collection<MessageId> undelivered, ActBy by) {
    requireFew(undelivered);
    Map<MessageId, MessageRow> found = burials.find(Set.copyOf(undelivered));
    Map<MessageId, String> refused = new HashMap<>();
    Work work = burying(List.copyOf(found.values()), by, refused);
    return withRefused(act(Kind.BURY, undelivered, by, work), refused);
  }

  private Work burying(List<MessageRow> rows, ActBy by, Map<MessageId, String> refused) {
    return (connection, ids) -> changed(burials.bury(connection, rows, by, refused));
  }

  private static ActResult withRefused(ActResult result, Map<MessageId, String> refused) {
    List<MessageId> notFound =
        result.notFound().stream().filter(id -> !refused.containsKey(id)).toList();
    return new ActResult(result.done(), notFound, refused);
  }

  @Override
  public ActResult correct(Collection<MessageId> dead, Correction change, ActBy by) {
    change.check(intake);
    return act(
        Kind.CORRECT,
        dead,
        by,
        (connection, ids) -> corrections.correct(connection, ids, change, by.decision().by()));
  }

  /**
   * Acts in the caller's transaction.
   *
   * @param rows of the stage of the kind, at least one
   */
  public ActResult act(Connection connection, OperationKind kind, List<MessageRow> rows, ActBy by)
      throws SQLException {
    Set<MessageId> wanted = new LinkedHashSet<>();
    rows.forEach(row -> wanted.add(row.id()));
    Map<MessageId, String> refused = new HashMap<>();
    Work work = kind == OperationKind.BURY ? burying(rows, by, refused) : work(kind, by);
    List<UUID> ids = wanted.stream().map(MessageId::value).toList();
    List<Changed> changed = act(connection, Kind.valueOf(kind.name()), ids, by, work);
    return withRefused(result(wanted, changed), refused);
  }

  private static void requireFew(Collection<MessageId> ids) {
    if (ids.isEmpty() || ids.size() > IDS_MAX) {
      throw new IllegalArgumentException("ids: " + ids.size() + " (expected: 1.." + IDS_MAX + ")");
    }
  }

  private ActResult act(Kind kind, Collection<MessageId> ids, ActBy by, Work work) {
    requireFew(ids);
    Set<MessageId> wanted = new LinkedHashSet<>(ids);
    List<Changed> changed;
    try (Session session = database.session(SessionRole.WRITE)) {
      changed =
          session.transaction(
              kind.doing,
              connection ->
                  act(connection, kind, wanted.stream().map(MessageId::value).toList(), by, work));
    }
    ActResult result = result(wanted, changed);
    LOG.info(
        "{} of {} {} by {}, reason '{}': {}",
        result.done().size(),
        wanted.size(),
        kind.done,
        by.decision().by(),
        by.decision().reason(),
        result.done());
    return result;
  }

  private List<Changed> act(Connection connection, Kind kind, List<UUID> ids, ActBy by, Work work)
      throws SQLException {
    List<Changed> changed = work.on(connection, ids);
    audit.add(
        connection,
        changed.stream()
            .map(
                each ->
                    AuditEntry.of(
                        by,
                        kind.act,
                        AuditEntry.MESSAGE,
                        new MessageId(each.id()).toString(),
                        each.details()))
            .toList());
    return changed;
  }

  private static ActResult result(Set<MessageId> wanted, List<Changed> changed) {
    Set<MessageId> done = new LinkedHashSet<>();
    changed.forEach(each -> done.add(new MessageId(each.id())));
    List<MessageId> notFound = wanted.stream().filter(id -> !done.contains(id)).toList();
    return new ActResult(wanted.stream().filter(done::contains).toList(), notFound, Map.of());
  }
}
