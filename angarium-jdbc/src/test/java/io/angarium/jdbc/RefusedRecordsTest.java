package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.desk.ActBy;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckStore;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.reconciliation.JdbcTaskProgress;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.WriteRefusedException;
import io.angarium.testkit.ManualClock;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One row that the database refuses for good holds up no other: half messages, their check-backs,
 * receipts, the inbox and reconciliations.
 */
class RefusedRecordsTest {
  private static final int ALL = 5;

  /** The one of them that is refused. */
  private static final int ONE = 2;

  private static final int MANY = 200;

  /** So many of them are refused. */
  private static final int BAD = 60;

  private static boolean first(int i) {
    return i < BAD;
  }

  private static boolean spread(int i) {
    return i % 3 == 0 && i < 3 * BAD;
  }

  private static List<IntPredicate> ways() {
    return List.of(RefusedRecordsTest::first, RefusedRecordsTest::spread);
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres extends OnDatabase {
    private final TestDatabase database = SharedServers.postgres().freshDatabase();

    @Override
    Pool.Opened pool(int size) throws SQLException {
      return Pool.HIKARI.open(database.url(), database.user(), database.password(), size);
    }

    @Override
    void plant(String event, String table, String column) {
      String row = event.equals("DELETE") ? "OLD" : "NEW";
      EmptyDatabase.execute(
          source,
          "CREATE OR REPLACE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF"
              + " %s.%s::text IN (SELECT v FROM planted)".formatted(row, column)
              + (" THEN RAISE EXCEPTION ''planted''; END IF; RETURN " + row + "; END'"),
          "CREATE TRIGGER planted BEFORE %s ON %s FOR EACH ROW EXECUTE FUNCTION planted()"
              .formatted(event, table));
    }

    @Override
    void mend(String table) {
      EmptyDatabase.execute(source, "DROP TRIGGER planted ON " + table, "DROP TABLE planted");
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb extends OnMySqlFamily {
    OnMariaDb() {
      super(SharedServers.mariaDb().freshDatabase());
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql extends OnMySqlFamily {
    OnMySql() {
      super(SharedServers.mySql().freshDatabase());
    }
  }

  abstract static class OnMySqlFamily extends OnDatabase {
    private final TestDatabase database;

    OnMySqlFamily(TestDatabase database) {
      this.database = database;
    }

    @Override
    Pool.Opened pool(int size) throws SQLException {
      return Pool.HIKARI.open(database.url(), database.user(), database.password(), size);
    }

    @Override
    void plant(String event, String table, String column) {
      String row = event.equals("DELETE") ? "OLD" : "NEW";
      boolean id = column.equals("message_id");
      EmptyDatabase.execute(
          source,
          "CREATE TRIGGER planted BEFORE %s ON %s FOR EACH ROW BEGIN IF %s THEN"
                  .formatted(
                      event,
                      table,
                      "(SELECT COUNT(*) FROM planted WHERE v = CAST(%s AS BINARY)) > 0"
                          .formatted(
                              id ? "LOWER(HEX(%s.%s))".formatted(row, column) : row + "." + column))
              + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'planted'; END IF; END");
    }

    @Override
    String text(Object value) {
      return value instanceof UUID ? value.toString().replace("-", "") : super.text(value);
    }

    @Override
    void mend(String table) {
      EmptyDatabase.execute(source, "DROP TRIGGER planted", "DROP TABLE planted");
    }
  }

  @Nested
  final class OnH2 extends OnDatabase {
    @Test
    void moreRefusedMarkersThanOnePageHoldUpNoOther() throws SQLException {
      int refused = 1_200;
      write(Old.MARKERS, refused + ALL);
      refuse(
          "DELETE",
          Old.MARKERS.table(),
          Old.MARKERS.key(),
          IntStream.range(0, refused).mapToObj(i -> "k" + i).toArray());
      Retention retention = retention();

      assertThat(delete(retention, Old.MARKERS)).isZero();
      String some = retention.fault().orElseThrow();
      assertThat(some).as("it ends, as nothing is taken").doesNotContain(refused + " row(s)");
      long deleted = 0;
      for (int round = 0; round < 40 && deleted == 0; round++) {
        deleted = delete(retention, Old.MARKERS);
      }

      assertThat(deleted).isEqualTo(ALL);
      assertThat(retention.fault().orElseThrow()).contains(refused + " row(s)");
    }

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private String trigger = "";

    @Override
    Pool.Opened pool(int size) throws SQLException {
      return Pool.HIKARI.open(url, "sa", "", size);
    }

    @Override
    void plant(String event, String table, String column) {
      long number =
          EmptyDatabase.number(
              source,
              "SELECT ORDINAL_POSITION FROM INFORMATION_SCHEMA.COLUMNS WHERE LOWER(TABLE_NAME) = '"
                  + (table + "' AND LOWER(COLUMN_NAME) = '" + column + "'"));
      trigger = "planted_" + (number - 1);
      EmptyDatabase.execute(
          source,
          "CREATE TRIGGER %s BEFORE %s ON %s FOR EACH ROW CALL '%s'"
              .formatted(trigger, event, table, RefusingTrigger.class.getName()));
    }

    @Override
    void mend(String table) {
      EmptyDatabase.execute(source, "DROP TRIGGER " + trigger, "DROP TABLE planted");
    }

    /** The other databases delete no single notes. */
    @Test
    void noteThatCannotBeDeletedHoldsUpNoOther() {
      JdbcInbox inbox = JdbcInbox.open(source, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      UUID kept = new UUID(0, ONE);
      for (int i = 0; i < ALL; i++) {
        inbox.process(new InboxKey("stock", new UUID(0, i)), c -> {});
      }
      EmptyDatabase.execute(source, "UPDATE inbox SET processed_at = " + PAST);
      refuse("DELETE", "inbox", "message_id", kept);

      assertThatThrownBy(inbox::rotate)
          .isInstanceOf(WriteRefusedException.class)
          .hasMessageContaining(kept.toString())
          .hasMessageContaining("planted");
      assertThat(EmptyDatabase.number(source, "SELECT COUNT(*) FROM inbox")).isEqualTo(1);

      mend("inbox");
      assertThat(inbox.rotate()).isTrue();
      assertThat(EmptyDatabase.number(source, "SELECT COUNT(*) FROM inbox")).isZero();
    }
  }

  abstract static class OnDatabase {
    static final String PAST = "TIMESTAMP '2001-01-01 00:00:00'";

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final PrintStream errors = System.err;
    private final ManualClock clock = ManualClock.create();
    private final List<HalfKey> keys = keys(ALL);
    private final List<HalfKey> others =
        keys.stream().filter(key -> !key.equals(keys.get(ONE))).toList();

    private static List<HalfKey> keys(int count) {
      return IntStream.range(0, count).mapToObj(i -> new HalfKey("order", "k" + i)).toList();
    }

    DataSource source;
    private Pool.Opened pool;
    private JdbcDatabase database;

    abstract Pool.Opened pool(int size) throws SQLException;

    /** Lets a trigger raise an error for rows of a table with values that a table holds. */
    abstract void plant(String event, String table, String column);

    /** As the table holds it. */
    String text(Object value) {
      return value.toString();
    }

    void refuse(String event, String table, String column, Object... values) {
      List<String> rows = Arrays.stream(values).map(value -> "('" + text(value) + "')").toList();
      String type = database.product().startsWith("M") ? "VARBINARY" : "VARCHAR";
      EmptyDatabase.execute(
          source,
          "CREATE TABLE planted (v " + type + "(64) PRIMARY KEY)",
          "INSERT INTO planted VALUES " + String.join(", ", rows));
      plant(event, table, column);
    }

    /** Takes that back. */
    abstract void mend(String table);

    /** With one connection: a refused statement that keeps it stops the next. */
    @BeforeEach
    void open() throws SQLException {
      open(1);
      System.setErr(new PrintStream(log, true, UTF_8));
    }

    private void open(int connections) throws SQLException {
      pool = pool(connections);
      source = pool.dataSource();
      database =
          JdbcDatabase.open(
              source,
              EmptyDatabase.WITH_ALL_TABLES.confirmation(
                  ConfirmationConfig.NONE.destinations("fake:orders")),
              clock);
    }

    private void reopen(int connections) throws SQLException {
      pool.close();
      open(connections);
    }

    @AfterEach
    void close() throws SQLException {
      System.setErr(errors);
      assertThat(pool.lent().getAsInt()).as("connections that were not given back").isZero();
      pool.close();
    }

    @Test
    void receiptThatIsRefusedIsKeptForLater() {
      List<MessageId> ids =
          IntStream.range(0, ALL).mapToObj(i -> new MessageId(UUID.randomUUID())).toList();
      JdbcConfirmations confirmations = database.confirmations();
      refuse("INSERT", "outbox_receipt", "message_id", ids.get(ONE).value());

      confirmations.confirm(ids);
      assertThat(count("outbox_receipt")).isEqualTo(ALL - 1);
      assertRefused(confirmations.fault().orElseThrow(), ids.get(ONE).value());
      confirmations.confirm(ids.subList(0, 1));
      clock.advance(Duration.ofMinutes(1));
      confirmations.confirm(ids);
      assertThat(count("outbox_receipt")).isEqualTo(ALL - 1);

      mend("outbox_receipt");
      clock.advance(Duration.ofMinutes(1));
      confirmations.confirm(List.of());
      assertThat(count("outbox_receipt")).isEqualTo(ALL);
      assertThat(confirmations.fault()).isEmpty();
    }

    @Test
    void privilegeThatAllReceiptsNeedIsToldToWhoBringsThem() {
      EmptyDatabase.execute(source, "ALTER TABLE outbox_receipt RENAME TO away");
      List<MessageId> ids =
          IntStream.range(0, 100).mapToObj(i -> new MessageId(UUID.randomUUID())).toList();

      assertThatThrownBy(() -> database.confirmations().confirm(ids))
          .isInstanceOf(WriteRefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void receiptsAreThrownIfNoneIsTaken(int count) {
      EmptyDatabase.execute(source, "ALTER TABLE outbox_receipt RENAME TO away");
      JdbcConfirmations confirmations = database.confirmations();
      List<MessageId> ids = randomIds(count);

      for (int again = 0; again < 3; again++) {
        assertThatThrownBy(() -> confirmations.confirm(ids))
            .isInstanceOf(WriteRefusedException.class);
      }
      EmptyDatabase.execute(source, "ALTER TABLE away RENAME TO outbox_receipt");
      confirmations.confirm(ids);
      assertThat(count("outbox_receipt")).isEqualTo(count);
      assertThat(confirmations.fault()).isEmpty();
    }

    @Test
    void receiptThatComesAloneIsToBlameOnceOthersAreTaken() {
      List<MessageId> ids = randomIds(2);
      JdbcConfirmations confirmations = database.confirmations();
      refuse("INSERT", "outbox_receipt", "message_id", ids.get(0).value());

      for (int again = 0; again < 2; again++) {
        assertThatThrownBy(() -> confirmations.confirm(ids.subList(0, 1)))
            .isInstanceOf(WriteRefusedException.class);
        assertThat(confirmations.fault()).isEmpty();
      }
      confirmations.confirm(ids.subList(1, 2));
      confirmations.confirm(ids.subList(0, 1));
      assertRefused(confirmations.fault().orElseThrow(), ids.get(0).value());
      clock.advance(Duration.ofMinutes(1));
      confirmations.confirm(ids.subList(0, 1));

      mend("outbox_receipt");
      clock.advance(Duration.ofMinutes(1));
      confirmations.confirm(List.of());
      assertThat(count("outbox_receipt")).isEqualTo(2);
    }

    private static List<MessageId> randomIds(int count) {
      return IntStream.range(0, count)
          .mapToObj(i -> new MessageId(UUID.randomUUID()))
          .sorted(Comparator.comparing(MessageId::value))
          .toList();
    }

    private static Object[] some(List<MessageId> ids, IntPredicate some) {
      return IntStream.range(0, ids.size())
          .filter(some)
          .mapToObj(i -> ids.get(i).value())
          .toArray();
    }

    @Test
    void manyReceiptsThatAreRefusedHoldUpNoOther() {
      for (IntPredicate bad : ways()) {
        List<MessageId> ids = randomIds(MANY);
        EmptyDatabase.execute(source, "DELETE FROM outbox_receipt");
        refuse("INSERT", "outbox_receipt", "message_id", some(ids, bad));

        JdbcConfirmations confirmations = database.confirmations();
        confirmations.confirm(ids);
        assertThat(count("outbox_receipt")).isEqualTo(MANY - BAD);
        assertThat(confirmations.fault().orElseThrow()).contains(BAD + " row(s)");
        mend("outbox_receipt");
      }
    }

    @Test
    void manyReceiptsThatCannotBeDeletedHoldUpNoOther() {
      for (IntPredicate bad : ways()) {
        List<MessageId> ids = randomIds(MANY);
        EmptyDatabase.execute(source, "DELETE FROM outbox_receipt");
        JdbcConfirmations confirmations = database.confirmations();
        confirmations.confirm(ids);
        EmptyDatabase.execute(source, "UPDATE outbox_receipt SET received_at = " + PAST);
        refuse("DELETE", "outbox_receipt", "message_id", some(ids, bad));

        assertThat(confirmations.forgetReceipts()).isEqualTo(MANY - BAD);
        assertThat(count("outbox_receipt")).isEqualTo(BAD);
        mend("outbox_receipt");
      }
    }

    @Test
    void manyOverdueMessagesThatAreRefusedHoldUpNoOther() throws SQLException {
      for (IntPredicate bad : ways()) {
        EmptyDatabase.execute(source, "DELETE FROM outbox", "DELETE FROM outbox_unconfirmed");
        JdbcConfirmations confirmations = unconfirmed(MANY);
        refuse(
            "INSERT",
            "outbox",
            "message_key",
            IntStream.range(0, MANY).filter(bad).mapToObj(i -> "k" + i).toArray());

        assertThat(confirmations.settleOverdue().resent()).isEqualTo(MANY - BAD);
        assertThat(count("outbox")).isEqualTo(MANY - BAD);
        mend("outbox");
      }
    }

    @Test
    void manyHalfMessagesThatCannotBeDeletedHoldUpNoOther() throws SQLException {
      for (IntPredicate bad : ways()) {
        EmptyDatabase.execute(source, "DELETE FROM outbox_half");
        reopen(3);
        try (JdbcHalfMessages half = prepared(keys(MANY))) {
          keys(MANY).forEach(half::rollback);
        }
        EmptyDatabase.execute(
            source, "UPDATE outbox_half SET decided_at = " + PAST + ", created_at = " + PAST);
        reopen(1);
        refuse("DELETE", "outbox_half", "id", ids(bad));

        assertThat(database.retention().forgetHalfMessages(Duration.ofDays(7)))
            .isEqualTo(MANY - BAD);
        mend("outbox_half");
      }
    }

    @Test
    void manyHalfMessagesThatCannotBeListedHoldUpNoOther() throws SQLException {
      for (IntPredicate bad : ways()) {
        EmptyDatabase.execute(source, "DELETE FROM outbox_half", "DELETE FROM outbox_half_check");
        reopen(5);
        prepared(keys(MANY)).close();
        refuse("INSERT", "outbox_half_check", "id", ids(bad));
        try (JdbcCheckStore store = database.checkStore()) {
          long reached = store.enter(0, Duration.ZERO).reached();
          assertThat(reached).isEqualTo(store.last());
          assertThat(count("outbox_half_check")).isEqualTo(MANY - BAD);

          clock.advance(Duration.ofMinutes(1)); // those refused come again, with a new one
          HalfKey fresh = new HalfKey("order", "fresh");
          prepared(List.of(fresh)).close();
          store.enter(reached, Duration.ZERO);
          assertThat(count("outbox_half_check")).isEqualTo(MANY - BAD + 1);
        }
        mend("outbox_half_check");
      }
    }

    @Test
    void overdueMessageThatIsRefusedHoldsUpNoOther() throws SQLException {
      JdbcConfirmations confirmations = unconfirmed(ALL);
      refuse("INSERT", "outbox", "message_key", "k" + ONE);

      assertThat(confirmations.settleOverdue().resent()).isEqualTo(ALL - 1);
      assertThat(confirmations.settleOverdue().resent()).isZero();
      assertThat(confirmations.fault().orElseThrow()).contains("settle the overdue");
      assertThat(count("outbox")).isEqualTo(ALL - 1);

      mend("outbox");
      clock.advance(Duration.ofMinutes(1));
      assertThat(confirmations.settleOverdue().resent()).isEqualTo(1);
      assertThat(confirmations.fault()).isEmpty();
    }

    @Test
    void receiptThatCannotBeDeletedHoldsUpNoOther() {
      List<MessageId> ids =
          IntStream.range(0, ALL).mapToObj(i -> new MessageId(UUID.randomUUID())).toList();
      JdbcConfirmations confirmations = database.confirmations();
      confirmations.confirm(ids);
      EmptyDatabase.execute(source, "UPDATE outbox_receipt SET received_at = " + PAST);
      refuse("DELETE", "outbox_receipt", "message_id", ids.get(ONE).value());

      assertThat(confirmations.forgetReceipts()).isEqualTo(ALL - 1);
      assertRefused(confirmations.fault().orElseThrow(), ids.get(ONE).value());

      mend("outbox_receipt");
      clock.advance(Duration.ofMinutes(1));
      assertThat(confirmations.forgetReceipts()).isEqualTo(1);
      assertThat(confirmations.fault()).isEmpty();
    }

    @Test
    void halfMessageThatCannotBeDeletedHoldsUpNoOther() throws SQLException {
      reopen(3);
      try (JdbcHalfMessages half = prepared()) {
        keys.forEach(half::rollback);
      }
      EmptyDatabase.execute(
          source, "UPDATE outbox_half SET decided_at = " + PAST + ", created_at = " + PAST);
      reopen(1);
      refuse("DELETE", "outbox_half", "id", id(ONE));
      Retention retention = database.retention();

      assertThat(retention.forgetHalfMessages(Duration.ofDays(7))).isEqualTo(ALL - 1);
      assertRefused(retention.fault().orElseThrow(), id(ONE));

      mend("outbox_half");
      clock.advance(Duration.ofMinutes(1));
      assertThat(retention.forgetHalfMessages(Duration.ofDays(7))).isEqualTo(1);
      assertThat(retention.fault()).isEmpty();
    }

    @Test
    void historyThatCannotBeDeletedHoldsUpNoOther() throws SQLException {
      oldRowsHoldUpNoOther(Old.HISTORY);
    }

    @Test
    void businessKeyThatCannotBeDeletedHoldsUpNoOther() throws SQLException {
      oldRowsHoldUpNoOther(Old.BUSINESS_KEYS);
    }

    @Test
    void markerThatCannotBeDeletedHoldsUpNoOther() throws SQLException {
      oldRowsHoldUpNoOther(Old.MARKERS);
    }

    @Test
    void discardedMessageThatCannotBeDeletedHoldsUpNoOther() throws SQLException {
      oldRowsHoldUpNoOther(Old.DISCARDED);
    }

    /** What the retention deletes. */
    record Old(
        String table, String key, String time, ToLongBiFunction<Retention, Duration> deletion) {
      static final Old HISTORY =
          new Old("outbox_sent", "message_key", "sent_at", Retention::deleteSent);
      static final Old BUSINESS_KEYS =
          new Old("outbox_dedup", "business_key", "created_at", Retention::forgetBusinessKeys);
      static final Old MARKERS =
          new Old("outbox_marker", "marker_key", "created_at", Retention::forgetMarkers);
      static final Old DISCARDED =
          new Old("outbox_discarded", "message_key", "discarded_at", Retention::forgetDiscarded);
    }

    /** One of a few, then many of many. */
    private void oldRowsHoldUpNoOther(Old old) throws SQLException {
      Retention retention = database.retention();
      write(old, ALL);
      refuse("DELETE", old.table(), old.key(), "k" + ONE);
      assertThat(delete(retention, old)).isEqualTo(ALL - 1);
      assertThat(delete(retention, old)).isZero();
      assertThat(retention.fault().orElseThrow()).contains("refuses to delete", "planted");
      assertThat(log.toString(UTF_8)).containsOnlyOnce("ERROR io.angarium");

      clock.advance(Duration.ofMinutes(1));
      assertThat(delete(retention, old)).isZero();
      mend(old.table());
      clock.advance(Duration.ofMinutes(1));
      assertThat(delete(retention, old)).isEqualTo(1);
      assertThat(retention.fault()).isEmpty();

      for (IntPredicate bad : ways()) {
        write(old, MANY);
        refuse(
            "DELETE",
            old.table(),
            old.key(),
            IntStream.range(0, MANY).filter(bad).mapToObj(i -> "k" + i).toArray());
        assertThat(delete(retention, old)).isEqualTo(MANY - BAD);
        assertThat(retention.fault().orElseThrow()).contains(BAD + " row(s)");

        mend(old.table()); // and another node deletes them
        assertThat(delete(database.retention(), old)).isEqualTo(BAD);
        assertThat(delete(retention, old)).isZero();
        assertThat(retention.fault()).isEmpty();
      }
    }

    Retention retention() {
      return database.retention();
    }

    static long delete(Retention retention, Old old) {
      return old.deletion().applyAsLong(retention, Duration.ofDays(7));
    }

    /** Writes rows and makes them old. */
    void write(Old old, int count) throws SQLException {
      if (old.equals(Old.HISTORY)) {
        database = JdbcDatabase.open(source, EmptyDatabase.WITH_ALL_TABLES.history(true), clock);
        unconfirmed(count);
      } else if (old.equals(Old.DISCARDED)) {
        List<MessageId> ids = new ArrayList<>();
        try (Connection connection = source.getConnection()) {
          connection.setAutoCommit(false);
          for (int i = 0; i < count; i++) {
            ids.add(
                database
                    .outbox(MessageIntake.of(null), Handover.NONE)
                    .on(connection)
                    .send(message("k" + i).notBefore(Instant.now().plus(Duration.ofDays(1)))));
          }
          connection.commit();
        }
        database.desk().acts().cancel(ids, ActBy.of("ann", "not wanted", ActBy.Via.API));
      } else {
        try (Connection connection = source.getConnection()) {
          connection.setAutoCommit(false);
          for (int i = 0; i < count; i++) {
            if (old.equals(Old.MARKERS)) {
              database.markers().claim(connection, new Marker("order", "k" + i));
            } else {
              BusinessKey key = new BusinessKey("order", "k" + i, BusinessKey.Uniqueness.REFUSE);
              database
                  .outbox(MessageIntake.of(null), Handover.NONE)
                  .on(connection)
                  .send(message("k" + i).business(key));
            }
          }
          connection.commit();
        }
      }
      EmptyDatabase.execute(
          source,
          "UPDATE %s SET %s = %s WHERE %s LIKE 'k%%'"
              .formatted(old.table(), old.time(), PAST, old.key()));
    }

    @Test
    void checkThatCannotBeClaimedHoldsUpNoOther() throws SQLException {
      reopen(3);
      prepared().close();
      try (JdbcCheckStore store = database.checkStore()) {
        assertThat(store.enter(0, Duration.ZERO).reached()).isPositive();
        refuse("UPDATE", "outbox_half_check", "id", id(ONE));

        assertThat(claimed(store)).containsExactlyInAnyOrderElementsOf(others);
        assertThat(claimed(store)).isEmpty();
        assertRefused(store.fault().orElseThrow(), id(ONE));

        mend("outbox_half_check");
        clock.advance(Duration.ofMinutes(1));
        assertThat(claimed(store)).containsExactly(keys.get(ONE));
        assertThat(store.fault()).isEmpty();
      }
    }

    @Test
    void halfMessageThatCannotBeListedHoldsUpNoOther() throws SQLException {
      reopen(3);
      prepared().close();
      refuse("INSERT", "outbox_half_check", "id", id(ONE));
      try (JdbcCheckStore store = database.checkStore()) {
        long reached = store.enter(0, Duration.ZERO).reached();
        assertThat(reached).isEqualTo(store.last());
        assertThat(claimed(store)).containsExactlyInAnyOrderElementsOf(others);
        assertRefused(store.fault().orElseThrow(), id(ONE));

        mend("outbox_half_check");
        clock.advance(Duration.ofMinutes(1));
        store.enter(reached, Duration.ZERO);
        assertThat(claimed(store)).containsExactly(keys.get(ONE));
        assertThat(store.fault()).isEmpty();
      }
    }

    @Test
    void outcomeThatIsRefusedHoldsUpNoOther() throws SQLException {
      asked("UPDATE", "outbox_half", Verdict.COMMITTED, HalfState.COMMITTED);
    }

    @Test
    void answerThatIsRefusedHoldsUpNoOther() throws SQLException {
      asked("INSERT", "outbox_half_alert", Verdict.UNKNOWN, HalfState.UNRESOLVED);
    }

    private void asked(String event, String table, Verdict answer, HalfState after)
        throws SQLException {
      reopen(4);
      try (JdbcHalfMessages half = prepared();
          JdbcCheckStore store = database.checkStore();
          CheckBackLoop loop = loop(half, store, answer)) {
        refuse(event, table, "id", id(ONE));
        await(loop, () -> others.stream().allMatch(key -> half.state(key) == after));
        await(loop, () -> loop.fault().isPresent());
        assertThat(half.state(keys.get(ONE))).isEqualTo(HalfState.PREPARED);
        assertThat(loop.fault().orElseThrow()).contains(keys.get(ONE).toString());

        mend(table);
        clock.advance(Duration.ofMinutes(1));
        EmptyDatabase.execute(
            source,
            "UPDATE outbox_half_check SET next_at = " + PAST + " WHERE next_at IS NOT NULL");
        await(loop, () -> half.state(keys.get(ONE)) == after);
        assertThat(loop.fault()).isEmpty();
      }
    }

    /** Asks until something is so; each answer comes on a thread of its own. */
    private static void await(CheckBackLoop loop, BooleanSupplier so) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (!so.getAsBoolean()) {
        assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
        loop.runOnce();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }

    private CheckBackLoop loop(JdbcHalfMessages half, CheckStore store, Verdict answer) {
      CheckBackConfig standard = CheckBackConfig.DEFAULTS;
      EmptyDatabase.execute(source, "UPDATE outbox_half SET created_at = " + PAST);
      return CheckBackLoop.builder(half, store)
          .config(standard.unknownMax(1))
          .checkBack("order", key -> answer)
          .time(clock)
          .build();
    }

    @Test
    void noteThatIsRefusedFailsItsOwnMessageOnly() throws SQLException {
      JdbcInbox inbox = JdbcInbox.open(source, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      List<InboxKey> messages =
          IntStream.range(0, ALL).mapToObj(i -> new InboxKey("stock", UUID.randomUUID())).toList();
      InboxKey refused = messages.get(ONE);
      refuse("INSERT", "inbox", "message_id", refused.id());
      List<InboxKey> worked = new ArrayList<>();

      assertThatThrownBy(() -> inbox.processAll(messages, (c, fresh) -> worked.addAll(fresh)))
          .isInstanceOf(WriteRefusedException.class);
      assertThat(worked).isEmpty();
      assertThat(count("inbox")).isZero();
      for (InboxKey key : messages) {
        if (key.equals(refused)) {
          assertThatThrownBy(() -> inbox.process(key, c -> worked.add(key)))
              .isInstanceOf(WriteRefusedException.class)
              .hasMessageContaining(key.toString());
        } else {
          assertThat(inbox.process(key, c -> worked.add(key))).isTrue();
        }
      }
      assertThat(worked).hasSize(ALL - 1).doesNotContain(refused);
      mend("inbox");
    }

    @Test
    void taskThatIsRefusedHoldsUpNoOther() {
      refuse("INSERT", "outbox_task", "task", "b");
      JdbcTaskProgress progress = database.taskProgress();

      assertThatThrownBy(() -> progress.begin("b", Duration.ofMinutes(1)))
          .isInstanceOf(WriteRefusedException.class);
      assertThat(progress.begin("a", Duration.ofMinutes(1))).isNotNull();
    }

    private JdbcHalfMessages prepared() {
      return prepared(keys);
    }

    private JdbcHalfMessages prepared(List<HalfKey> keys) {
      JdbcHalfMessages half = database.halfMessages(MessageIntake.of(null), Handover.NONE, 1);
      keys.forEach(key -> half.prepare(HalfMessage.of(key, message(key.key()))));
      return half;
    }

    private static Message message(String key) {
      return Message.of("fake:orders", new byte[] {1}).key(key);
    }

    private JdbcConfirmations unconfirmed(int count) throws SQLException {
      List<NewMessage> messages =
          IntStream.range(0, count)
              .mapToObj(i -> new NewMessage(new MessageId(UUID.randomUUID()), 0, message("k" + i)))
              .toList();
      List<StoredMessage> written;
      try (Connection connection = source.getConnection()) {
        connection.setAutoCommit(false);
        written = StoredRows.write(database, connection, messages);
        connection.commit();
      }
      try (JdbcOutboxStore store = database.store()) {
        store.delete(written.stream().map(StoredMessage::position).toList());
      }
      EmptyDatabase.execute(source, "UPDATE outbox_unconfirmed SET due_at = " + PAST);
      return database.confirmations();
    }

    private List<HalfKey> claimed(CheckStore store) {
      return store.claim(ALL, Duration.ofHours(1)).checks().stream()
          .map(check -> check.key())
          .toList();
    }

    private Object[] ids(IntPredicate some) {
      return IntStream.range(0, MANY).filter(some).mapToObj(this::id).toArray();
    }

    private long id(int key) {
      return EmptyDatabase.number(
          source, "SELECT id FROM outbox_half WHERE half_key = 'k" + key + "'");
    }

    private long count(String table) {
      return EmptyDatabase.number(source, "SELECT COUNT(*) FROM " + table);
    }

    /** One is named in one line. */
    private void assertRefused(String fault, Object key) {
      assertThat(fault).contains("refuses", key.toString(), "planted");
      assertThat(log.toString(UTF_8))
          .containsOnlyOnce("ERROR io.angarium")
          .contains("The database refuses to", key.toString(), "Mend what the error names");
    }
  }
}
