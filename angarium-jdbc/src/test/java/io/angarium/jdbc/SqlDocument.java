package io.angarium.jdbc;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.Severity;
import io.angarium.alert.Told;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.MinuteQuery;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.desk.ActBy;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import io.angarium.half.decide.OperatorDecision;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.alert.AlertDialect;
import io.angarium.jdbc.internal.alert.NoticeDialect;
import io.angarium.jdbc.internal.alert.SilenceDialect;
import io.angarium.jdbc.internal.board.BoardDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.DirtyReads;
import io.angarium.jdbc.internal.dialect.OutboxSql;
import io.angarium.jdbc.internal.dialect.h2.H2Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MariaDbDialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlDialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlFamily;
import io.angarium.jdbc.internal.dialect.postgres.PostgresDialect;
import io.angarium.jdbc.internal.half.CheckDialect;
import io.angarium.jdbc.internal.half.DeskDialect;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.half.HalfRow;
import io.angarium.jdbc.internal.half.IntakeTopicDialect;
import io.angarium.jdbc.internal.half.PostgresCommitDialect;
import io.angarium.jdbc.internal.inbox.H2InboxDialect;
import io.angarium.jdbc.internal.inbox.InboxDialect;
import io.angarium.jdbc.internal.inbox.InboxNumbers;
import io.angarium.jdbc.internal.inbox.InboxWait;
import io.angarium.jdbc.internal.inbox.MariaDbInboxDialect;
import io.angarium.jdbc.internal.inbox.MySqlFamilyInboxDialect;
import io.angarium.jdbc.internal.inbox.MySqlInboxDialect;
import io.angarium.jdbc.internal.inbox.PostgresInboxDialect;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.internal.report.ReportDialect;
import io.angarium.jdbc.internal.retention.OldRow;
import io.angarium.jdbc.internal.retention.OldRowsDialect;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.jdbc.internal.sql.StripedKey;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.write.ConfirmationDialect;
import io.angarium.jdbc.internal.write.DeadDialect;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.Window;
import io.angarium.relay.status.RelayStatus;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements of a database as a page for people, made from the dialect itself. */
final class SqlDocument {
  private static final NewMessage MESSAGE =
      new NewMessage(
          new MessageId(new UUID(1, 1)),
          0,
          Message.of("kafka:orders", new byte[] {1})
              .key("42")
              .type("order-paid")
              .header("traceparent", "00-1-2-01")
              .createdBy("shop")
              .business("order-paid", "42")
              .notBefore(Instant.EPOCH));
  private static final String LEFT_OUT = "; columns that no message uses are left out";
  private static final String ROWS = "one statement for up to 1 000 messages" + LEFT_OUT;
  private static final int INLINE = 16_384;
  private static final int ANY_SIZE = Integer.MAX_VALUE;
  private static final Position POSITION = new Position(0, 1);
  private static final List<Position> SENT = List.of(POSITION);
  private static final List<Position> NEAR = List.of(POSITION, new Position(0, 2));
  private static final Position PLACED = new Position(0, 1, 1);
  private static final NodeId NODE = new NodeId("node-1", new UUID(1, 2));
  private static final Lease LEASE = new Lease(0, NODE, 1);
  private static final ParkedEntry PARKING =
      new ParkedEntry(POSITION, 7, true, 1, Duration.ZERO, "down");
  private static final DeadEntry BURIAL = new DeadEntry(POSITION, 7, true, 1, "refused", false);
  private static final List<Integer> PARTITIONS = List.of(0);
  private static final Marker MARKER = new Marker("order-paid", "42");
  private static final List<UUID> IDS = List.of(new UUID(1, 1));

  private static final InboxKey KEY = new InboxKey("stock", new UUID(1, 1));
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<InboxKey> KEYS = List.of(KEY);
  private static final String WORK =
      "UPDATE stock SET amount = amount - ? WHERE item = ? AND :fresh";

  private final Dialect dialect;
  private final StringBuilder page = new StringBuilder();

  private SqlDocument(Dialect dialect) {
    this.dialect = dialect;
  }

  static String of(Dialect dialect) {
    return new SqlDocument(dialect).render();
  }

  private String render() {
    page.append("# The statements on ")
        .append(dialect.database())
        .append(
            """


            Written from the code; a test fails when this page is out of date. To write it anew:
            `mvn -pl angarium-jdbc -am test -Dtest=SqlDocumentTest -Dangarium.docs.write=true \
            -Dsurefire.failIfNoSpecifiedTests=false`

            A part that stands once per row is shown once. Table names begin with what is configured
            as `tables`. The tables are created by
            """)
        .append("the scripts of `angarium/schema/" + dialect.folder() + "` in the jar, ")
        .append("see [the schema](../schema.md).\n");
    sending();
    reading();
    outcomes();
    deadLetters();
    markers();
    halfMessages();
    checkBacks();
    desk();
    intakeTopics();
    retention();
    leases();
    confirmations();
    reconciliation();
    alerts();
    board();
    reports();
    inbox(
        InboxDialect.on(
            dialect, new TableNames(InboxConfig.DEFAULTS), InboxWait.of(InboxConfig.DEFAULTS)));
    return page.toString();
  }

  private void sending() {
    chapter("Sending: in the transaction of the application");
    if (dialect instanceof PostgresDialect postgres) {
      add("One message", "one statement" + LEFT_OUT, postgres.sending().insert(List.of(MESSAGE)));
      add(
          "Several messages",
          "one statement for all; what all have in common is sent once" + LEFT_OUT,
          postgres.sending().insert(List.of(MESSAGE, MESSAGE)));
      add(
          "One message, keyed",
          "instead of the first: the relay reads it from there",
          postgres.sending().insertKeyed(List.of(MESSAGE)));
      add(
          "Several messages, all keyed",
          "instead of the second: the relay reads them from there",
          postgres.sending().insertKeyed(List.of(MESSAGE, MESSAGE)));
      add(
          "Unique business keys",
          "one statement more, only if a message demands it",
          postgres.sending().claimBusinessKeys(List.of(MESSAGE)));
    }
    if (dialect instanceof H2Dialect h2) {
      add(
          "Messages",
          "one statement for up to 1 000 messages",
          h2.sending().insert(List.of(MESSAGE)));
      add(
          "Unique business key",
          "one statement for each message that demands it",
          h2.sending().claimBusinessKey(MESSAGE));
    }
    if (dialect instanceof MySqlFamily family) {
      family(family);
    }
    add(
        "Refused business keys are taken back",
        "only when one was sent before",
        dialect.sending().releaseBusinessKeys(List.of(MESSAGE)));
    add(
        "Delayed messages",
        "one statement, only if there are such messages",
        dialect.sending().insertDelayed(List.of(MESSAGE)));
  }

  private void family(MySqlFamily family) {
    if (family.variant() instanceof MariaDbDialect mariaDb) {
      add("Messages", ROWS, mariaDb.insert(List.of(MESSAGE)));
      add(
          "Messages, all keyed",
          "instead of the former, as one batch of 4 to 1 000 rows, if the driver sends it in one:"
              + " MariaDB's own (Connector/J 3.5 or newer), unless `useBulkStmtsForInserts=false`",
          mariaDb.insertKeyed(List.of(MESSAGE)).statement());
    }
    if (family.variant() instanceof MySqlDialect mySql) {
      add("Messages", ROWS, mySql.insert(List.of(MESSAGE)));
    }
    List<StripedKey> keys = StripedKey.guarded(List.of(MESSAGE));
    add(
        "Unique business keys",
        "two statements more, only if a message demands it; the second only if a key is new",
        List.of(family.sending().lockBusinessKeys(keys), family.sending().addBusinessKeys(keys)));
  }

  private void reading() {
    chapter("Relaying: what is read");
    settings();
    add(
        "Which tables, on which server?",
        "one per connection, and one every ten minutes",
        dialect.schema().sourceAndServer());
    add(
        "Is the last heartbeat still there?",
        "one per connection of a relay",
        dialect.leases().expiresAt(NODE.incarnation()));
    add("Last sequence", "one per idle poll", dialect.outbox().lastSequence());
    add(
        "Rows after the cursors",
        "one for all partitions of a node",
        dialect.outbox().read(List.of(SequenceRange.after(0, 0)), 100, INLINE));
    Sql stretch = dialect.outbox().readStretch(PARTITIONS, 0, 5_000, INLINE);
    if (stretch != null) {
      add(
          "Rows of a backlog",
          dialect instanceof PostgresDialect
              ? "instead of the former, with a connection for which"
                  + " `enable_indexscan` is off instead of `enable_bitmapscan`"
              : "instead of the former",
          stretch);
    }
    if (dialect.outbox().loadsWhatItNames()) {
      add(
          "Rows of which most have large payloads",
          "instead of the two former, as long as the last rows were of that kind",
          List.of(
              dialect.outbox().read(List.of(SequenceRange.after(0, 0)), 100, OutboxSql.NO_PAYLOADS),
              Objects.requireNonNull(
                  dialect.outbox().readStretch(PARTITIONS, 0, 5_000, OutboxSql.NO_PAYLOADS))));
    }
    add(
        "Rows whose payloads are large",
        "one more only if the former left payloads out, which it does from 16 KiB on at the latest",
        dialect.outbox().readAt(List.of(POSITION), ANY_SIZE));
    if (dialect instanceof PostgresDialect postgres) {
      List<SequenceRange> late = List.of(new SequenceRange(0, 0, 100));
      add(
          "Late rows, first look",
          "once per takeover",
          postgres.outbox().readLate(late, null, 100, INLINE));
      add(
          "Late rows",
          "some per second",
          postgres.outbox().readLate(late, "10:20:10,14", 100, INLINE));
      add(
          "What runs",
          "one before late rows, while a transaction is open that began long ago",
          postgres.outbox().snapshot());
      add("Mark", "two statements: the last sequence, then this", postgres.outbox().barrier());
      add("Mark settled?", "one", postgres.outbox().settled("20"));
    }
    if (dialect.outbox() instanceof DirtyReads reads) {
      add(
          "Late rows",
          "two: where rows are, once for each 20 000 of them, then those that the relay does not"
              + " know",
          List.of(
              reads.positions(Stretch.around(List.of(new SequenceRange(0, 0, 100))), 100),
              reads.readAt(List.of(POSITION), INLINE)));
      add(
          "How far have rows come?",
          "one dirty read where the last sequence has risen: numbers are taken ahead of rows",
          reads.highestId(5_000));
      add(
          "Mark, and mark settled?",
          "the last sequence, then this as a dirty read; later as a committed one and a dirty one",
          reads.ids(0, 100, 10_001));
    }
    add(
        "Blocked keys",
        "one per takeover, and one per idle pause while a key is blocked",
        dialect.parked().blockedKeys(PARTITIONS));
    add(
        "Due heads",
        "one per poll",
        dialect.parked().dueHeads(PARTITIONS, List.of("kafka:down"), 100, INLINE));
    add(
        "Parked messages of a key",
        "one per due key",
        dialect.parked().parkedOfKey(0, 7, 100, INLINE));
    add(
        "Parked messages whose payloads are large",
        "one more only if the former left payloads out",
        dialect.parked().parkedAt(List.of(POSITION), ANY_SIZE));
    add("Any delayed message due?", "one per poll", dialect.work().anyDue(PARTITIONS));
    if (dialect instanceof MySqlFamily family) {
      add(
          "Anything at all?",
          "one per idle second while nothing happens",
          family.work().anything(5_000, Duration.ofSeconds(2)));
      add(
          "Anything new or due?",
          "one every ten idle seconds",
          family.work().glance(PARTITIONS, Duration.ofSeconds(2)));
    } else {
      add(
          "Anything new or due?",
          "one per idle second",
          dialect.work().glance(PARTITIONS, Duration.ofSeconds(2)));
    }
    backlog();
  }

  private void settings() {
    Map<String, String> settings = dialect.sessions().sessionSettings(SessionRole.COMPLETE);
    if (!settings.isEmpty()) {
      String deletes =
          settings.entrySet().stream()
              .map(setting -> "`%s = %s`".formatted(setting.getKey(), setting.getValue()))
              .collect(Collectors.joining(", "));
      add(
          "Settings of a session",
          "once when a connection is taken, and the last one once before it is given back. Deletes"
              + " set "
              + deletes,
          statements(settings));
    }
  }

  private List<Sql> statements(Map<String, String> settings) {
    return dialect instanceof MySqlFamily family
        ? List.of(family.sessions().read(settings.keySet()), family.sessions().set(settings))
        : List.of(
            ((PostgresDialect) dialect).sessions().change(settings),
            ((PostgresDialect) dialect).sessions().putBack(settings));
  }

  private void outcomes() {
    chapter("Relaying: what becomes of messages");
    Sql inPlace = dialect.outbox().deleteInPlace(List.of(PLACED), false);
    Sql inPlaceToHistory = dialect.outbox().deleteInPlace(List.of(PLACED), true);
    String when =
        inPlace == null ? "" : "; only for rows handed over by their transaction, or moved";
    if (inPlace != null && inPlaceToHistory != null) {
      add("Sent", "one per batch of acknowledgements", inPlace);
      add("Sent, with history", "instead of the former", inPlaceToHistory);
    }
    String name = inPlace == null ? "Sent" : "Sent, by key";
    add(name, "one per batch of acknowledgements" + when, dialect.outbox().delete(SENT, false));
    add(name + ", with history", "instead of the former", dialect.outbox().delete(SENT, true));
    add(
        name + ", read before a fail-over",
        "first, one per batch; then the former for those that hold the same message",
        dialect.outbox().lockFreeRows(SENT));
    OutboxSql.Scan scan = dialect.outbox().deleteByScan(NEAR, 0);
    if (scan != null) {
      add(
          "Sent, of a backlog",
          "before the one by key, which takes what is left: one, for rows that lie together where"
              + " no open transaction can write any more",
          scan.delete());
    }
    add("Fence", "first in each of the transactions below", dialect.leases().fence(List.of(LEASE)));
    add(
        "Park",
        "after the fence; then the heads of keys whose followers came",
        dialect.parked().park(List.of(PARKING)));
    List<ParkedKey> keys = List.of(ParkedKey.of(0, 7));
    boolean h2 = dialect instanceof H2Dialect;
    add(
        "Settle parked messages",
        "after the fence, for all keys together"
            + (h2 ? ", but for the second, third and fourth" : "")
            + ": those sent, then the head of each key; the last two only for keys without a"
            + " message that failed again, or if one is gone",
        List.of(
            dialect.parked().deleteParked(List.of(POSITION), false).get(0),
            dialect.parked().demote(keys).get(0),
            dialect.parked().reschedule(List.of(PARKING)).get(0),
            dialect.parked().promote(keys).get(0),
            dialect.parked().stillBlocked(keys)));
    add(
        "Settle with history",
        "instead of the first of the former",
        dialect.parked().deleteParked(List.of(POSITION), true));
    add(
        "Bury",
        "after the fence; then the heads of the keys",
        dialect.deadLetters().bury(List.of(BURIAL)));
    add("Enqueue delayed messages", "after the fence", enqueueDue());
  }

  private List<Sql> enqueueDue() {
    if (dialect instanceof H2Dialect h2) {
      List<Sql> statements = new ArrayList<>();
      statements.add(h2.work().lockDue(PARTITIONS, 100));
      statements.addAll(h2.work().moveDue(List.of(1L)));
      return statements;
    }
    if (dialect instanceof MySqlFamily family) {
      List<Sql> statements = new ArrayList<>();
      statements.add(family.work().due(PARTITIONS, 100));
      statements.addAll(family.work().moveDue(List.of(1L)));
      statements.add(1 + 1, family.work().copied(PARTITIONS, 4711L));
      return statements;
    }
    return dialect instanceof PostgresDialect postgres
        ? List.of(postgres.work().enqueueDue(PARTITIONS, 100))
        : List.of();
  }

  private void backlog() {
    if (dialect instanceof PostgresDialect postgres) {
      add(
          "Backlog",
          "one at the first look, then one every 10 minutes",
          dialect.work().backlog(10_001));
      add(
          "Backlog above what is gone",
          "one per look besides, and three that find out how far all is gone",
          postgres.work().backlogAbove(Map.of(0, 4711L), 10_001));
    } else {
      add("Backlog", "one per look", dialect.work().backlog(10_001));
    }
  }

  private void deadLetters() {
    chapter("Dead letters");
    DeadDialect dead = new DeadDialect(dialect);
    List<MessageId> ids = IDS.stream().map(MessageId::new).toList();
    add(
        "Page",
        "for each 100 messages the sizes of their payloads, then the messages",
        List.of(dead.sizes("kafka:orders", POSITION, 100), dialect.deadLetters().deadOf(IDS)));
    add(
        "Search, oldest first",
        "the time, one for each 1 000 rows, and the matches with their sizes",
        List.of(dead.now(), dead.rows(Order.OLDEST, POSITION, 1_000), dead.rowsOf(ids)));
    add("Search, newest first", "as before", dead.rows(Order.NEWEST, POSITION, 1_000));
    add("Find", "one", dialect.deadLetters().deadOf(IDS));
    add("Find without payloads", "one", dead.rowsOf(ids));
    add(
        "Before a change",
        "which keys, then the leases of their partitions, then the first one again",
        List.of(
            dialect.deadLetters().deadKeysOf(IDS), dialect.leases().lockPartitions(PARTITIONS)));
    add(
        "Requeue those that block their key",
        "one transaction",
        dialect.deadLetters().requeueBlocking(IDS, "a"));
    add(
        "Requeue the others",
        "in the same transaction",
        dialect.deadLetters().requeueOthers(IDS, "a"));
    add("Discard", "one transaction", dialect.deadLetters().discard(IDS));
  }

  private void retention() {
    chapter("Retention");
    Duration month = Duration.ofDays(30);
    add(
        "History",
        "one per 10 000 messages and a last one, when called",
        dialect.outbox().trimSent(month, 10_000));
    if (dialect instanceof MySqlFamily family) {
      add(
          "Business keys",
          "one per 10 000 keys and a last one, and one per 1 000 keys, when called",
          List.of(
              family.sending().oldBusinessKeys(month, 10_000),
              family.sending().releaseBusinessKeys(List.of(MESSAGE))));
    } else {
      add("Business keys", "one per 10 000 keys and a last one, when called", trimDedup(month));
    }
    add(
        "Markers",
        dialect instanceof MySqlFamily
            ? "one per 10 000 markers and a last one, and one per 1 000 markers, when called"
            : "one per 10 000 markers and a last one, when called",
        trimMarkers(month));
    for (OldRowsDialect.Kind kind : OldRowsDialect.Kind.values()) {
      add(
          "Row by row: " + kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          "two per 500 rows, only after the database refused to delete them at once",
          oldRows(new OldRowsDialect(dialect, kind), month));
    }
  }

  private static List<Sql> oldRows(OldRowsDialect old, Duration age) {
    return List.of(old.old(age, 500), old.delete(age, List.of(new OldRow(List.of("a")))));
  }

  private List<Sql> trimDedup(Duration age) {
    if (dialect instanceof PostgresDialect postgres) {
      return List.of(postgres.sending().trimDedup(age, 10_000));
    }
    return dialect instanceof H2Dialect h2
        ? List.of(h2.sending().trimDedup(age, 10_000))
        : List.of();
  }

  private void markers() {
    chapter("Markers of local transactions, for half messages");
    add(
        "Begin",
        "one, the first of the transaction",
        dialect.markers().insertMarker(MARKER, "committed"));
    add(
        "Check",
        "the same with 'rolled back', and if the marker was there one more; one transaction",
        dialect.markers().markerOutcome(MARKER));
    add(
        "Check several",
        "one, and the former for each that it does not find",
        dialect.markers().markerOutcomes("order", List.of("42")));
  }

  private void halfMessages() {
    HalfDialect half = new HalfDialect(dialect);
    HalfKey key = new HalfKey("order", "42");
    List<UUID> ids = List.of(key.id());
    HalfRow row = new HalfRow(key, key.id(), HalfState.PREPARED, MESSAGE, Duration.ZERO, null);
    boolean mySql = dialect instanceof MySqlFamily;
    boolean mariaDb = dialect.database().equals("MariaDB");
    PostgresCommitDialect atOnce = half.commits();
    chapter("Half messages");
    add(
        "Prepare",
        (dialect instanceof H2Dialect ? "one each" : "one for all that are prepared together")
            + "; with those columns only that any of them has a value for"
            + (atOnce == null ? "" : ". The first for one, the second for several"),
        atOnce == null
            ? List.of(
                mariaDb
                    ? half.inserts().addReturning(List.of(row))
                    : half.inserts().addNew(List.of(row)))
            : List.of(half.inserts().add(List.of(row)), half.inserts().add(List.of(row, row))));
    if (mySql) {
      add(
          "Prepare again",
          mariaDb
              ? "for later calls of a key in the same transaction"
              : "if a key of the former is there, after a rollback",
          half.inserts().add(List.of(row)));
    }
    if (atOnce != null) {
      add(
          "Commit at once",
          "one for all that are committed together; takes what is prepared, due and at"
              + " most 64 KiB, without a key 8 KiB",
          atOnce.commit(ids));
    }
    add(
        "What is there",
        "one for all that are rolled back together, or prepared again",
        half.lock(ids));
    add(
        "Commit",
        (atOnce == null ? "for all together: " : "what is left then, for all together: ")
            + "the first, the second for payloads above 8 KiB, the inserts of the first chapter,"
            + " and the last",
        List.of(half.lockMessages(ids), half.messages(ids), half.decide(HalfState.COMMITTED, ids)));
    add(
        "Roll back",
        "in the same transaction, for all together",
        half.decide(HalfState.ROLLED_BACK, ids));
    add("State", "one", half.states(ids));
    add(
        "Retention",
        "when called, one each for 500 rows that were prepared long ago",
        List.of(half.old(HOUR, 0), half.forget(HOUR, List.of(1L))));
  }

  private void checkBacks() {
    CheckDialect check = new CheckDialect(dialect);
    DueCheck due = new DueCheck(1, 1, new HalfKey("order", "42"), null, 0, 0);
    NotedCheck noted = new NotedCheck(due, CheckAnswer.of(Verdict.UNKNOWN), 1, 0, HOUR);
    List<Long> numbers = List.of(1L);
    chapter("Check-back of half messages");
    add("Start", "one", check.last());
    add(
        "What stays prepared",
        "every second the first for each 500 rows that came of age, and one; the second if some of"
            + " them are still prepared"
            + (dialect instanceof H2Dialect ? ", each" : ""),
        List.of(check.page(0, HOUR), check.enter(numbers)));
    add(
        "What is due",
        "every second the first; the others if something is; one transaction for 500",
        List.of(
            check.due(500),
            check.messages(numbers),
            check.strike(numbers),
            check.claim(numbers, HOUR)));
    add(
        "Answers",
        "for what is decided the statements of half messages and the first, for all together; for"
            + " the rest one each, in one transaction for 500",
        List.of(check.strike(numbers), check.note(noted), check.putOff(due, HOUR)));
    add(
        "Give up",
        "one transaction each, with all but the last, which follows when persons were told",
        List.of(
            check.giveUp(noted),
            new HalfDialect(dialect).mark(HalfState.UNRESOLVED, List.of(due.key().id())),
            check.told(1),
            check.alert(1),
            check.told(1)));
    add(
        "Alerts that nobody told",
        "every minute the first, at each node; the others for each that a node did not tell before"
            + " it died",
        List.of(check.untold(), check.takeAlert(1), check.dropAlert(1)));
  }

  private void desk() {
    DeskDialect desk = new DeskDialect(dialect);
    HalfKey key = new HalfKey("order", "42");
    OperatorDecision act =
        new OperatorDecision(
            Instant.EPOCH, "a", HalfStep.RESUME, "b", HalfState.UNRESOLVED, HalfState.PREPARED);
    chapter("What persons do to half messages");
    add(
        "Look",
        "one each",
        List.of(
            desk.unresolved(0, 1_000),
            desk.undecided(Duration.ZERO, 0, 1_000),
            desk.find(key),
            desk.acts(key)));
    add("Count", "one", desk.backlog());
    add(
        "Count by business, where a server limits them",
        "three every 5 seconds, the first once more for each 1 000 rows that are new",
        List.of(
            desk.settled(Duration.ofMinutes(1), 0, 1_000), desk.openYoung(0), desk.openListed()));
    add(
        "Decide",
        "the statements of half messages and the first, in one transaction; the second to resume",
        List.of(desk.note(key, act), desk.resume(1)));
  }

  private void intakeTopics() {
    IntakeTopicDialect topics = new IntakeTopicDialect(dialect);
    IntakeTopicDialect.Change change =
        new IntakeTopicDialect.Change("half-orders", true, null, "Ada");
    chapter("The registry of Kafka topics: only where it is switched on");
    add("Look", "one every 10 seconds at each server", topics.oldest(IntakeTopics.TOPICS_MAX + 1));
    add(
        "List",
        "one for a page, the first one or another, and another one if that is full",
        List.of(
            topics.first(JdbcIntakeTopics.PAGE_MAX),
            topics.after("half-orders", JdbcIntakeTopics.PAGE_MAX)));
    add(
        "Register",
        "two, the first and the last one, to change what is registered; four for a new topic",
        List.of(
            topics.change(change),
            topics.count(IntakeTopics.TOPICS_MAX),
            topics.add(change),
            topics.find("half-orders")));
    add("Remove", "one", topics.remove("half-orders"));
  }

  private List<Sql> trimMarkers(Duration age) {
    if (dialect instanceof PostgresDialect postgres) {
      return List.of(postgres.markers().trimMarkers(age, 10_000));
    } else if (dialect instanceof MySqlFamily family) {
      return List.of(
          family.markers().oldMarkers(age, 10_000),
          family.markers().deleteMarkers(List.of(MARKER)));
    }
    return dialect instanceof H2Dialect h2
        ? List.of(h2.markers().trimMarkers(age, 10_000))
        : List.of();
  }

  private void leases() {
    chapter("Nodes and leases");
    add(
        "Prepare",
        "once per start",
        List.of(
            dialect.leases().setPartitioning(64, 16),
            dialect.leases().partitioning(),
            dialect.leases().addLeases(PARTITIONS, 1).get(0)));
    Duration ttl = Duration.ofSeconds(10);
    add(
        "Heartbeat",
        dialect instanceof PostgresDialect ? "two statements in one round trip" : "two statements",
        List.of(
            dialect.leases().refreshNode(NODE, true, ttl, 0),
            dialect.leases().members(LeaseStore.TTL_MAX)));
    List<Sql> enter = new ArrayList<>(dialect.leases().retireNodes(NODE));
    enter.add(dialect.leases().enterNode(NODE, true, ttl));
    enter.add(dialect.leases().noteTransports(NODE, "http,kafka"));
    add("First heartbeat", "after the first of the former", enter);
    add(
        "Transports of the nodes",
        "at the start, and where a message waits for a transport that this node lacks",
        List.of(dialect.leases().transports()));
    List<Sql> acquire = new ArrayList<>();
    acquire.add(dialect.leases().lockPartitions(PARTITIONS));
    acquire.addAll(dialect.leases().lockExpired(PARTITIONS, ttl));
    acquire.add(dialect.leases().expired(PARTITIONS, ttl));
    acquire.add(dialect.leases().take(NODE, PARTITIONS, IDS));
    acquire.add(dialect.leases().leasesOf(NODE, PARTITIONS));
    add("Acquire", "one transaction per change of membership", acquire);
    add("Release", "after locking the partitions", dialect.leases().release(List.of(LEASE)));
    add(
        "Hand over",
        "after locking the partition; to a node that has a transport",
        List.of(dialect.leases().handOver(LEASE, NODE)));
    add("Leave", "one transaction", dialect.leases().leave(NODE));
  }

  private void confirmations() {
    ConfirmationDialect confirmation =
        new ConfirmationDialect(dialect, ConfirmationConfig.NONE.destinations("kafka:orders"));
    List<Position> sent = List.of(new Position(0, 1));
    List<UUID> ids = List.of(new UUID(1, 1));
    chapter("Confirmation: only if a destination demands it");
    add(
        "Sent",
        "one a batch, and two more if a message of it must be confirmed, before the delete",
        List.of(
            confirmation.demanding("outbox", sent),
            confirmation.sentAgain(ids),
            confirmation.sent("outbox", sent)));
    add(
        "Receipts",
        "one a batch, and one more each if some were there, or were not",
        List.of(
            confirmation.waiting(ids), confirmation.forget(ids), confirmation.addReceipts(ids)));
    add(
        "Overdue",
        "one each time; the others if there are any",
        List.of(
            confirmation.overdue(0),
            confirmation.receipts(ids),
            confirmation.resend(ids),
            confirmation.resent(ids),
            confirmation.bury(ids.get(0), 0, "unconfirmed")));
    add("Unconfirmed", "one", confirmation.count());
    add(
        "Unconfirmed, as persons and alerts see them",
        "one",
        confirmation.byDestination(ConfirmationDesk.COUNT_MAX));
    add(
        "Retention",
        "an hour, each pair in one transaction until nothing is left",
        List.of(
            confirmation.oldResent(0),
            confirmation.forgetResent(ids),
            confirmation.oldReceipts(0),
            confirmation.forgetReceipts(ids)));
  }

  private void reconciliation() {
    ReconciliationDialect reconciliation = new ReconciliationDialect(dialect, dialect.names());
    Window window = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
    List<UUID> ids = List.of(new UUID(1, 1));
    chapter("Reconciliation: only where it is asked for");
    add(
        "Keys of a window",
        "one for each digest, and one for each window that differs",
        reconciliation.produced("kafka:orders", window, HOUR));
    add("Keys of an inbox", "likewise", reconciliation.consumed(1, window));
    add(
        "Send again",
        "two for 500 messages, and one for each partition of them",
        List.of(
            reconciliation.held(ids, HOUR),
            reconciliation.unsent(ids),
            reconciliation.sendAgain(0, List.of(1L), "operator", HOUR)));
    add(
        "Turns",
        "begin and end one each time, proceed one a window",
        List.of(
            reconciliation.begin("orders", HOUR),
            reconciliation.first("orders", HOUR),
            reconciliation.done("orders"),
            reconciliation.proceed("orders", 1, 0, HOUR),
            reconciliation.end("orders", 1)));
  }

  private void alerts() {
    AlertDialect alerts = new AlertDialect(dialect);
    NoticeDialect notices = new NoticeDialect(dialect);
    SilenceDialect silences = new SilenceDialect(dialect);
    AlertKey key = new AlertKey("circuit-open", "kafka:orders");
    ActBy by = ActBy.of("ada", "the broker restarts", ActBy.Via.PAGE);
    chapter("Alerts: only where they are asked for");
    add(
        "Turns",
        "begin two a round, one transaction; the row is added if somebody has emptied the table",
        List.of(
            alerts.turn(), alerts.firstTurn(), alerts.takeTurn(1, "a", HOUR), alerts.endTurn("a")));
    add(
        "A round",
        "the second only while something is on",
        List.of(alerts.known(), silences.silences()));
    add("Alerts that persons see", "reads one each", List.of(alerts.alerts(), notices.told()));
    add(
        "Changed alerts",
        "only if something changed; the row of the turn first, the others as batches, all in one"
            + " transaction",
        List.of(
            alerts.keys(),
            alerts.add(alert(key, AlertState.FIRING)),
            alerts.change(alert(key, AlertState.FIRING)),
            alerts.change(alert(key, AlertState.RESOLVED)),
            notices.delete(key),
            alerts.delete(key)));
    add(
        "Notices",
        "only if somebody was told, or could not be; the row of the turn and the keys of alerts"
            + " first, the others as batches, all in one transaction",
        List.of(
            notices.keys(),
            notices.add(told(key, null)),
            notices.change(told(key, null)),
            notices.add(told(key, "time-out")),
            notices.change(told(key, "time-out"))));
    add(
        "Acts of persons",
        "one or three, and one of the audit, in one transaction",
        List.of(
            alerts.take(key, "bob", by),
            silences.deleteEnded(HOUR),
            silences.add("*", "*", HOUR, by),
            silences.latest("*", "*", by),
            silences.end(1)));
  }

  private void board() {
    BoardDialect board = new BoardDialect(dialect);
    UUID incarnation = new UUID(0, 1);
    MinuteQuery some = minutes(List.of("kafka:orders"));
    RelayStatus relay =
        new RelayStatus(
            "a", incarnation, Instant.EPOCH, null, null, 1, 0, 1, 0, List.of(), null, null);
    NodeStatus status = new NodeStatus("shop", "host", "1.0", false, relay, Throughput.NONE, HOUR);
    chapter("Node board: only where nodes tell what they do");
    add(
        "Status of a node",
        "one every 5 s, two the first time, in one transaction",
        List.of(board.change(status), board.add(status)));
    add(
        "Minutes",
        "two a minute in which something was sent, in one transaction",
        List.of(
            board.deleteMinute(Instant.EPOCH, incarnation),
            board.addMinute(
                incarnation,
                List.of(
                    new MinuteOfDestination(Instant.EPOCH, "kafka:orders", Throughput.NONE),
                    new MinuteOfDestination(
                        Instant.EPOCH, MinuteOfDestination.OTHER, Throughput.NONE)))));
    add("Read by persons and rules", "two", List.of(board.nodes(), board.now()));
    add(
        "Charts",
        "one each",
        List.of(
            board.minutes(minutes(List.of())),
            board.minutes(some),
            board.destinations(Instant.EPOCH, Instant.EPOCH)));
    add(
        "Retention",
        "four an hour; of minutes ten at once",
        List.of(
            board.now(), board.firstMinute(), board.forgetMinutes(1), board.forgetStatuses(HOUR)));
  }

  private static MinuteQuery minutes(List<String> destinations) {
    return new MinuteQuery(
        Instant.EPOCH, Instant.EPOCH.plus(HOUR), Duration.ofMinutes(1), destinations);
  }

  private void reports() {
    ReportDialect reports = new ReportDialect(dialect);
    Window window = new Window(Instant.EPOCH, Instant.EPOCH.plus(HOUR));
    Report agrees =
        new Report(window, Digest.NONE, Digest.NONE, List.of(), List.of(), List.of(), true);
    Report differs =
        new Report(
            window, Digest.NONE.plus("1"), Digest.NONE, List.of("1"), List.of(), List.of(), true);
    chapter("Reports of reconciliations: only where they are kept");
    add(
        "A report",
        "one or two, two that look for old reports, and one for each of these, in one transaction",
        List.of(
            reports.replace("orders", "kafka:orders", agrees),
            reports.replace("orders", "kafka:orders", differs),
            reports.add("orders", "kafka:orders", differs),
            reports.old(true, HOUR),
            reports.delete(1)));
    add(
        "A repair that a task makes by itself",
        "one each",
        List.of(reports.repaired("orders", window, 1, "reconciliation", "by itself")));
    add("A round of alerts", "one", List.of(reports.open(HOUR, 100)));
    add(
        "What persons see",
        "one each",
        List.of(
            reports.latest(48),
            reports.page(new ReportQuery(null, true, null, 100)),
            reports.page(new ReportQuery("orders", false, 7L, 100)),
            reports.find(1),
            reports.keys(1)));
    add(
        "Acts of persons",
        "two and one of the audit; to send messages again also the keys, and those of a"
            + " reconciliation for each "
            + ReconciliationDialect.IDS_MAX
            + " messages; all in one transaction",
        List.of(reports.hold(1), reports.repair(1, 12, "ada", "the consumer had lost its queue")));
  }

  private static Alert alert(AlertKey key, AlertState state) {
    return new Alert(
        key, state, Severity.CRITICAL, 1, "It is open", 1, Instant.EPOCH, null, null, null);
  }

  private static Told told(AlertKey key, @Nullable String failure) {
    return new Told(key, "pager", Told.What.FIRING, 1, Severity.CRITICAL, Instant.EPOCH, failure);
  }

  private void inbox(InboxDialect inbox) {
    chapter("Inbox: in the transaction of the consumer");
    page.append("\nIts tables are created by the scripts of `angarium/schema/")
        .append(dialect.folder())
        .append("`; their names begin with what is configured for the inbox.\n");
    InboxNumbers numbers = new InboxNumbers(KEYS);
    if (inbox instanceof PostgresInboxDialect postgres) {
      add("One message", "one", postgres.claim(KEY));
      add("Several messages", "one for all, after a savepoint", postgres.claimNew(numbers, KEYS));
      add(
          "Few messages, or several some of which were there",
          "one for all; after those above a rollback to the savepoint as well",
          postgres.claimAll(numbers, KEYS));
      add(
          "One message whose work is a statement",
          "one for both",
          postgres.folded(KEY, postgres.statements().text(WORK), 1, "apple"));
      add("Rotation", "one transaction a period", rotation(postgres));
      add("Whether the user may rotate", "one at the start", postgres.mayRotate());
    } else if (inbox instanceof MySqlFamilyInboxDialect family) {
      inboxOfFamily(family, numbers);
    } else if (inbox instanceof H2InboxDialect h2) {
      add("Messages", "one for each", h2.claim(KEY));
      add("Retention", "one each time", h2.trim(Duration.ofDays(14)));
      add(
          "Retention note by note",
          "one, and one per note, only after H2 refused to delete them at once",
          List.of(
              h2.old(Duration.ofDays(14)),
              h2.delete(new H2InboxDialect.Note(1, IDS.get(0)), Duration.ofDays(14))));
    }
  }

  private static List<Sql> rotation(PostgresInboxDialect postgres) {
    List<Sql> rotation = new ArrayList<>();
    rotation.add(postgres.due(Duration.ofDays(14)));
    rotation.addAll(postgres.rotation());
    return rotation;
  }

  private static Sql claim(MySqlFamilyInboxDialect family) {
    return family instanceof MariaDbInboxDialect mariaDb
        ? mariaDb.claim(KEY)
        : family.claim("", KEY);
  }

  private void inboxOfFamily(MySqlFamilyInboxDialect family, InboxNumbers numbers) {
    add("One message", "one", claim(family));
    if (family instanceof MariaDbInboxDialect mariaDb) {
      add("Several messages", "one for all", mariaDb.claimSeveral(KEYS));
      add(
          "Few messages, or of several consumers, or without the sequence engine",
          "one for all",
          mariaDb.claimAll(numbers, KEYS));
    } else if (family instanceof MySqlInboxDialect mySql) {
      add(
          "Several messages",
          "one for all, between a savepoint and its release; if some were there, that for one"
              + " message for each, after a rollback to the savepoint",
          mySql.claimAll(KEYS));
      add("Waiting no longer", "one before each of those", mySql.shorterWait());
      add("Waiting as before", "one after each of those", mySql.waitAgain());
    }
    List<Sql> rotation = new ArrayList<>();
    rotation.add(family.lock());
    rotation.add(family.due(Duration.ofDays(14)));
    rotation.add(family.rotated(Duration.ZERO));
    rotation.addAll(family.rotation());
    rotation.add(family.unlock());
    add("Rotation", "once a period", rotation);
    add("Whether the user may rotate", "each at the start", family.mayRotate());
  }

  private void chapter(String title) {
    page.append("\n## ").append(title).append('\n');
  }

  private void add(String title, String count, Sql sql) {
    add(title, count, List.of(sql));
  }

  private void add(String title, String count, List<Sql> statements) {
    if (statements.isEmpty()) {
      return;
    }
    page.append("\n### ").append(title).append("\n\nHow many: ").append(count).append(".\n");
    for (Sql sql : statements) {
      page.append("\n```sql\n").append(sql.text().strip()).append("\n```\n");
    }
  }
}
