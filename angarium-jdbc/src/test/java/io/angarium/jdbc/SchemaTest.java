package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.intake.Handover;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.schema.ExpectedTables;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.internal.schema.FoundTables;
import io.angarium.jdbc.internal.schema.SchemaScripts;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.Versions;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said and done about the tables when a database is opened. */
final class SchemaTest {
  private static final JdbcConfig VALIDATE = JdbcConfig.DEFAULTS;
  private static final JdbcConfig CREATE = VALIDATE.schemaMode(SchemaMode.CREATE);
  private static final String RECORDED = "SELECT version FROM outbox_feature WHERE feature = ";
  private static final SchemaFeature[] ALL = {
    SchemaFeature.MARKER,
    SchemaFeature.HALF,
    SchemaFeature.CONFIRMATION,
    SchemaFeature.RECONCILIATION,
    SchemaFeature.CONSOLE,
    SchemaFeature.ALERT,
    SchemaFeature.BOARD,
    SchemaFeature.REPORT
  };

  @Nested
  final class OnH2 implements Opening {
    private final DataSource empty = EmptyDatabase.h2InMemory();

    @Override
    public DataSource empty() {
      return empty;
    }

    /** The usual two seconds: longer ones hide threads that wait for each other. */
    @Override
    public DataSource patient() {
      return empty();
    }

    /** What it would say of a table that is half made is not true, or is an error. */
    @ParameterizedTest
    @EnumSource(
        value = SchemaMode.class,
        names = {"CREATE", "VALIDATE"})
    void catalogueIsNotReadWhileAnotherThreadChangesIt(SchemaMode mode) throws Exception {
      JdbcDatabase.open(empty, CREATE);
      JdbcInbox.open(empty, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      List<Runnable> starts =
          List.of(
              () -> JdbcDatabase.open(empty, VALIDATE.schemaMode(mode)),
              () -> JdbcInbox.open(empty, InboxConfig.DEFAULTS.schemaMode(mode)));
      Object monitor = Dialects.of("H2", new TableNames(VALIDATE)).schema().createMonitor();
      for (Runnable start : starts) {
        Thread waiting = new Thread(start);

        synchronized (monitor) {
          waiting.start();
          await(() -> waitsFor(waiting, monitor));
        }

        waiting.join();
      }
    }

    private static boolean waitsFor(Thread waiting, Object monitor) {
      ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(waiting.getId());
      LockInfo lock = info == null ? null : info.getLockInfo();
      return lock != null && lock.getIdentityHashCode() == System.identityHashCode(monitor);
    }

    private static void await(BooleanSupplier condition) {
      long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
      while (!condition.getAsBoolean()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Opening {
    private final DataSource empty = EmptyDatabase.postgres();

    @Override
    public DataSource empty() {
      return empty;
    }

    @Test
    void tablesOfAnotherSchemaAreFoundByItsName() {
      EmptyDatabase.execute(empty, "CREATE SCHEMA messages");

      JdbcDatabase.open(empty, CREATE.schema("messages").tables("mail"));

      assertThat(EmptyDatabase.number(empty, "SELECT COUNT(*) FROM messages.mail_parked")).isZero();
      assertThatCode(() -> JdbcDatabase.open(empty, VALIDATE.schema("messages").tables("mail")))
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> JdbcDatabase.open(empty, VALIDATE))
          .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void tablesOfASchemaWithALikeNameAreOthers() {
      EmptyDatabase.execute(empty, "CREATE SCHEMA shop_1", "CREATE SCHEMA shopx1");

      JdbcDatabase.open(empty, CREATE.schema("shopx1"));

      assertThatThrownBy(() -> JdbcDatabase.open(empty, VALIDATE.schema("shop_1")))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("feature outbox: none of its tables is in shop_1");
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OpeningMySql {
    private final DataSource empty = EmptyDatabase.mariaDb();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OpeningMySql {
    private final DataSource empty = EmptyDatabase.mySql();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  interface OpeningMySql extends Opening {
    @Test
    default void columnThatOnlyThisDatabaseHasIsExpected() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(), "ALTER TABLE outbox_dedup CHANGE COLUMN stripe other SMALLINT NOT NULL");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_dedup, column stripe: missing");
    }

    /** Their DDL is in no transaction, so a node that crashes leaves a script half done. */
    @Test
    default void scriptThatWasHalfDoneIsFinished() throws SQLException {
      JdbcDatabase.open(empty(), CREATE);
      String script = "angarium/schema-test/mysql/V6__later.sql";
      TableNames names = new TableNames(VALIDATE);
      EmptyDatabase.execute(empty(), SchemaScripts.statements(script).get(0));

      try (Connection connection = empty().getConnection()) {
        Dialect dialect = Dialects.of(connection, names);
        new SchemaScripts(dialect, names, in -> List.of(script)).create(connection);
      }

      assertThat(EmptyDatabase.number(empty(), RECORDED + "'OUTBOX'")).isEqualTo(6);
      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
    }
  }

  interface Opening {
    DataSource empty();

    @Test
    default void missingTablesAreOneFaultForEachFeature() {
      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOfSatisfying(
              ConfigurationException.class, e -> assertThat(e.faults()).hasSize(1))
          .hasMessageContaining("feature outbox: none of its tables is in ")
          .hasMessageContaining("(expected: outbox, outbox_delayed, outbox_parked, ")
          .hasMessageContaining("/outbox/V1__outbox.sql, then angarium/schema/")
          .hasMessageContaining(
              "/outbox/V5__dead_order.sql, or set angarium.jdbc.schema-mode=create");
      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE.features(ALL)))
          .isInstanceOfSatisfying(
              ConfigurationException.class, e -> assertThat(e.faults()).hasSize(1 + ALL.length));
    }

    @Test
    default void smallestOutboxHasOnlyItsOwnTables() throws SQLException {
      JdbcDatabase database = JdbcDatabase.open(empty(), CREATE);

      try (JdbcOutboxStore store = database.store();
          Connection connection = empty().getConnection()) {
        assertThat(store.backlog().depth()).isZero();
        Dialect dialect = Dialects.of(connection, new TableNames(VALIDATE));
        Set<String> own = new HashSet<>(ExpectedTables.of(SchemaFeature.OUTBOX));
        own.add("_feature");
        assertThat(FoundTables.read(connection, dialect, dialect.names()).tables().keySet())
            .filteredOn(table -> !table.startsWith("_sent_") && !table.startsWith("_lease_"))
            .allMatch(own::contains)
            .containsAll(own);
      }
    }

    @Test
    default void featureIsCreatedWhenItIsFirstAskedFor() {
      JdbcDatabase database = JdbcDatabase.open(empty(), CREATE);
      assertThat(database.has(SchemaFeature.CONFIRMATION)).isFalse();

      database.confirmations();

      assertThat(database.has(SchemaFeature.CONFIRMATION)).isTrue();
      assertThat(database.has(SchemaFeature.HALF)).isFalse();
      assertThat(database.confirmations().unconfirmed()).isZero();
    }

    @Test
    default void missingFeatureIsAFaultWhereItIsOpened() {
      JdbcDatabase.open(empty(), CREATE);
      JdbcDatabase database = JdbcDatabase.open(empty(), VALIDATE);

      Map<String, Runnable> openings =
          Map.of(
              "marker", database::markers,
              "half", database::checkStore,
              "confirmation", database::confirmations,
              "reconciliation", database::taskProgress);
      openings.forEach(
          (feature, opening) ->
              assertThatThrownBy(opening::run)
                  .isInstanceOf(ConfigurationException.class)
                  .hasMessageContaining("feature " + feature + ": none of its tables is in ")
                  .hasMessageContaining("/" + feature + "/V1__" + feature + ".sql, or set"));
      assertThatThrownBy(database::intakeTopics).isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> database.halfMessageDesk(Handover.NONE))
          .isInstanceOf(ConfigurationException.class);
      assertThatThrownBy(() -> database.retention().forgetMarkers(Retention.MARKERS_KEPT))
          .isInstanceOf(ConfigurationException.class);
    }

    @Test
    default void relayThatNotesWhatMustBeConfirmedNeedsItsTablesAtOnce() {
      JdbcDatabase.open(empty(), CREATE);
      ConfirmationConfig demanded = ConfirmationConfig.NONE.destinations("kafka:orders");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE.confirmation(demanded)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("feature confirmation: none of its tables");
    }

    @Test
    default void createdTablesAreValidAndCreatingAgainChangesNothing() {
      JdbcDatabase.open(empty(), CREATE);

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
      assertThatCode(() -> JdbcDatabase.open(empty(), CREATE)).doesNotThrowAnyException();
    }

    @Test
    default void scriptAsShippedRunsByHand() throws SQLException {
      try (Connection connection = empty().getConnection()) {
        String product = connection.getMetaData().getDatabaseProductName();
        Dialect dialect = Dialects.of(product, new TableNames(VALIDATE));
        for (SchemaFeature feature : SchemaFeature.values()) {
          for (String script : FeatureScripts.after(feature, 0, dialect)) {
            for (String sql : SchemaScripts.statements(script)) {
              Sql.of(sql).run(connection);
            }
          }
        }
      }

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE.features(ALL)))
          .doesNotThrowAnyException();
      assertThatCode(() -> JdbcInbox.open(empty(), InboxConfig.DEFAULTS))
          .doesNotThrowAnyException();
    }

    @Test
    default void twoOutboxesLiveInOneSchema() {
      JdbcDatabase.open(empty(), CREATE);
      JdbcDatabase.open(empty(), CREATE.tables("old_letters"));

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE.tables("old_letters")))
          .doesNotThrowAnyException();
    }

    @Test
    default void theCatalogueOfOneSchemaIsRead() throws SQLException {
      JdbcDatabase.open(empty(), CREATE.features(ALL));
      CatalogueReads reads = new CatalogueReads(empty());

      JdbcDatabase.open(reads.source(), VALIDATE.features(ALL));

      assertThat(reads.places()).isNotEmpty().doesNotContain(CatalogueReads.EVERYWHERE);
    }

    @Test
    default void everyFaultIsReportedAtOnce() {
      JdbcDatabase.open(empty(), CREATE.features(SchemaFeature.HALF));
      EmptyDatabase.execute(
          empty(),
          "DROP TABLE outbox_dedup",
          "ALTER TABLE outbox_parked DROP COLUMN last_error",
          "UPDATE outbox_feature SET version = 9, works_from = 8 WHERE feature = 'HALF'");

      assertThatThrownBy(
              () ->
                  JdbcDatabase.open(
                      empty(), VALIDATE.features(SchemaFeature.HALF, SchemaFeature.MARKER)))
          .isInstanceOfSatisfying(
              ConfigurationException.class, e -> assertThat(e.faults()).hasSize(4))
          .hasMessageContaining("table outbox_dedup: missing in ")
          .hasMessageContaining("table outbox_parked, column last_error: missing")
          .hasMessageContaining("feature marker: none of its tables")
          .hasMessageContaining("feature half: version 9, which works with code of version 8");
    }

    /** Angarium 0.1 creates such tables, and counts to 7 in one of them; see UpgradeTest. */
    @Test
    default void tablesWithoutRecordedVersionsAreThoseOfTheFirst() {
      JdbcDatabase.open(empty(), CREATE.features(ALL));
      EmptyDatabase.execute(
          empty(), "DROP TABLE outbox_feature", "UPDATE outbox_schema SET version = 7");

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE.features(ALL)))
          .doesNotThrowAnyException();
      JdbcDatabase.open(empty(), CREATE.features(ALL));
      assertThat(EmptyDatabase.number(empty(), RECORDED + "'OUTBOX'")).isEqualTo(5);
      assertThat(EmptyDatabase.number(empty(), "SELECT COUNT(*) FROM outbox_feature")).isEqualTo(1);
    }

    @Test
    default void featureOfWhichATableIsMissingIsCompleted() {
      JdbcDatabase.open(empty(), CREATE.features(ALL));
      EmptyDatabase.execute(
          empty(),
          "DROP TABLE outbox_receipt",
          "DELETE FROM outbox_feature WHERE feature = 'CONFIRMATION'");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE.features(ALL)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_receipt: missing in ");
      JdbcDatabase.open(empty(), CREATE.features(ALL));
      assertThat(EmptyDatabase.number(empty(), RECORDED + "'CONFIRMATION'")).isEqualTo(1);
    }

    @Test
    default void newerTablesAreRightIfTheySaySo() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(),
          "ALTER TABLE outbox_schema ADD COLUMN later INTEGER",
          "UPDATE outbox_feature SET version = 9, works_from = 2");

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
      assertThatCode(() -> JdbcDatabase.open(empty(), CREATE)).doesNotThrowAnyException();
      assertThat(EmptyDatabase.number(empty(), RECORDED + "'OUTBOX'")).isEqualTo(9);
    }

    @Test
    default void newerTablesAskForAnUpgradeOtherwise() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(empty(), "UPDATE outbox_feature SET version = 9, works_from = 6");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining(
              "feature outbox: version 9, which works with code of version 6 or newer (expected:"
                  + " version 5); a newer Angarium has changed the tables");
    }

    @Test
    default void columnOfAnotherTypeIsAFault() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(),
          "ALTER TABLE outbox_dead DROP COLUMN attempts",
          "ALTER TABLE outbox_dead ADD COLUMN attempts VARCHAR(20)");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_dead, column attempts: no type for NUMBER");
    }

    /** The empty database, with lock time-outs that a slow machine does not reach. */
    default DataSource patient() {
      return PatientDatabase.of(empty());
    }

    @Test
    default void nodesThatStartAtOnceCreateTheTablesOnce() throws Exception {
      DataSource patient = patient();
      startAtOnce(Collections.nCopies(6, () -> JdbcDatabase.open(patient, CREATE.features(ALL))));
    }

    /** One may read the catalogue while another one creates what is none of its own. */
    @Test
    default void partsOfAServiceThatStartAtOnceCreateTheirTables() throws Exception {
      DataSource patient = patient();
      List<Callable<Object>> parts = new ArrayList<>();
      for (int round = 0; round < 2; round++) {
        for (SchemaFeature feature : ALL) {
          parts.add(() -> JdbcDatabase.open(patient, CREATE.features(feature)));
        }
        parts.add(
            () -> JdbcInbox.open(patient, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)));
      }
      startAtOnce(parts);
    }

    private static void startAtOnce(List<Callable<Object>> starts) throws Exception {
      ExecutorService threads = Executors.newFixedThreadPool(starts.size());
      try {
        for (Future<Object> started : threads.invokeAll(starts)) {
          assertThat(started.get()).isNotNull();
        }
      } finally {
        threads.shutdownNow();
      }
    }

    @Test
    default void nothingIsCheckedWhenToldSo() {
      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE.schemaMode(SchemaMode.NONE)))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void unknownDatabaseIsAnErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> Dialects.of("Oracle", new TableNames(VALIDATE)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Oracle")
        .hasMessageContaining("PostgreSQL")
        .hasMessageContaining("H2");
  }

  @Test
  void versionsAreComparedByNumber() {
    assertThat(Versions.atLeast("10.11.19-MariaDB", "10.6")).isTrue();
    assertThat(Versions.atLeast("10.5.9", "10.6")).isFalse();
    assertThat(Versions.atLeast("2.4.240", "2.4.240")).isTrue();
    assertThat(Versions.atLeast("2.3.232", "2.4.240")).isFalse();
    assertThat(Versions.atLeast("9", "8.0")).isTrue();
  }

  @Test
  void wrongConfigurationListsEveryFault() {
    assertThatThrownBy(
            () ->
                new JdbcConfig(
                    "a;b",
                    "Out box",
                    SchemaMode.NONE,
                    false,
                    ConfirmationConfig.NONE,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1),
                    Set.of(SchemaFeature.INBOX),
                    null,
                    Set.of()))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.faults()).hasSize(4));
  }
}
