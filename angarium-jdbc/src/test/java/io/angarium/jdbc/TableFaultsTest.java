package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What the proofs rest on is checked at the start: attributes of the tables when they are opened,
 * rights when a relay is prepared.
 */
class TableFaultsTest {
  private static final JdbcConfig CREATE = EmptyDatabase.WITH_ALL_TABLES;

  /**
   * @param plant statements that break something
   * @param says part of the fault
   * @param mend the statement that the fault names
   */
  private record Fault(List<String> plant, String says, String mend) {
    Fault(String plant, String says, String mend) {
      this(List.of(plant), says, mend);
    }
  }

  private static void prepare(DataSource source) {
    try (JdbcLeaseStore leases = JdbcDatabase.open(source, JdbcConfig.DEFAULTS).leases()) {
      leases.prepare(Partitioning.DEFAULTS);
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OnDatabase {
    private final TestDatabase database = SharedServers.postgres().freshDatabase();

    @Override
    public DataSource owner() {
      return new ConnectionSource(database::connect);
    }

    @Override
    public List<Fault> faults() {
      return List.of(
          new Fault(
              "ALTER TABLE outbox_dead SET UNLOGGED",
              "table outbox_dead: UNLOGGED",
              "ALTER TABLE outbox_dead SET LOGGED"),
          new Fault(
              "ALTER TABLE outbox ALTER COLUMN id SET CACHE 20",
              "table outbox: the sequence of id has CACHE 20",
              "ALTER TABLE outbox ALTER COLUMN id SET CACHE 1"),
          new Fault(
              "ALTER TABLE outbox_delayed ALTER COLUMN id SET INCREMENT BY -2",
              "table outbox_delayed: the sequence of id counts by -2",
              "ALTER TABLE outbox_delayed ALTER COLUMN id SET INCREMENT BY 1"),
          new Fault(
              "ALTER TABLE outbox_half ALTER COLUMN id SET CYCLE",
              "table outbox_half: the sequence of id has CYCLE",
              "ALTER TABLE outbox_half ALTER COLUMN id SET NO CYCLE"),
          new Fault(
              "ALTER TABLE outbox ALTER COLUMN xid DROP DEFAULT",
              "table outbox: the column xid is behind id or has another default",
              "ALTER TABLE outbox ALTER COLUMN xid SET DEFAULT pg_current_xact_id()"),
          new Fault(
              "ALTER TABLE outbox_parked DROP CONSTRAINT outbox_parked_pkey",
              "table outbox_parked: no primary key",
              "ALTER TABLE outbox_parked ADD PRIMARY KEY (partition_no, id)"),
          new Fault(
              "ALTER TABLE outbox_half DROP CONSTRAINT outbox_half_half_id_key",
              "table outbox_half: half_id is not unique",
              "ALTER TABLE outbox_half ADD UNIQUE (half_id)"),
          new Fault(
              "ALTER TABLE outbox_unconfirmed SET UNLOGGED",
              "table outbox_unconfirmed: UNLOGGED",
              "ALTER TABLE outbox_unconfirmed SET LOGGED"),
          new Fault(
              "ALTER TABLE outbox_receipt DROP CONSTRAINT outbox_receipt_pkey",
              "table outbox_receipt: no primary key",
              "ALTER TABLE outbox_receipt ADD PRIMARY KEY (message_id)"),
          new Fault(
              "ALTER TABLE outbox_half_alert DROP CONSTRAINT outbox_half_alert_pkey",
              "table outbox_half_alert: no primary key",
              "ALTER TABLE outbox_half_alert ADD PRIMARY KEY (id)"),
          new Fault(
              "CREATE RULE planted AS ON UPDATE TO outbox_task DO INSTEAD NOTHING",
              "table outbox_task: the rule planted does something else instead",
              "DROP RULE planted ON outbox_task"),
          new Fault(
              List.of(
                  "CREATE COLLATION planted"
                      + " (PROVIDER = icu, LOCALE = 'und-u-ks-level2', DETERMINISTIC = false)",
                  "ALTER TABLE outbox_dedup ALTER COLUMN business_key TYPE text COLLATE planted"),
              "table outbox_dedup: the collation of business_key is not deterministic",
              "ALTER TABLE outbox_dedup ALTER COLUMN business_key TYPE text COLLATE \"C\""),
          new Fault(
              "CREATE RULE planted AS ON DELETE TO outbox DO INSTEAD NOTHING",
              "table outbox: the rule planted does something else instead",
              "DROP RULE planted ON outbox"),
          new Fault(
              List.of(
                  "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS"
                      + " 'BEGIN RETURN NULL; END'",
                  "CREATE TRIGGER planted BEFORE DELETE ON outbox_lease"
                      + " FOR EACH ROW EXECUTE FUNCTION planted()"),
              "table outbox_lease: the trigger planted runs before each row",
              "DROP TRIGGER planted ON outbox_lease"));
    }

    @Override
    public String[] view() {
      return new String[] {
        "ALTER TABLE outbox_task RENAME TO kept", "CREATE VIEW outbox_task AS SELECT * FROM kept"
      };
    }

    @Override
    public DataSource account(String name) throws SQLException {
      database.execute("CREATE ROLE " + name + " LOGIN PASSWORD 'secret'");
      return new ConnectionSource(
          () -> DriverManager.getConnection(database.url(), name, "secret"));
    }

    @Override
    public void grant(String rights, String table, String name) throws SQLException {
      database.execute("GRANT " + rights + " ON " + table + " TO " + name);
    }

    @Override
    public void drop(String name) throws SQLException {
      database.execute("DROP OWNED BY " + name, "DROP ROLE " + name);
    }

    @Override
    public void grantRest(String name) throws SQLException {
      database.execute("GRANT SELECT ON SEQUENCE outbox_id_seq TO " + name);
    }

    @Override
    public int startStatements() {
      return 16;
    }

    @Override
    public String[] withoutInboxKey() {
      return new String[] {
        "ALTER TABLE inbox DROP CONSTRAINT inbox_pkey",
        "ALTER TABLE inbox ADD PRIMARY KEY (consumer, message_id)"
      };
    }

    @Test
    void tableOfAnotherKindIsRefused() throws SQLException {
      List<Fault> kinds =
          List.of(
              new Fault(
                  "CREATE TABLE outbox_task (LIKE kept INCLUDING ALL) PARTITION BY HASH (task)",
                  "table outbox_task: a partitioned table",
                  "DROP TABLE outbox_task"),
              new Fault(
                  List.of(
                      "CREATE FOREIGN DATA WRAPPER planted",
                      "CREATE SERVER planted FOREIGN DATA WRAPPER planted",
                      "CREATE FOREIGN TABLE outbox_task (task text, token int8,"
                          + " leased_until timestamptz, done_until int8) SERVER planted"),
                  "table outbox_task: a foreign table",
                  "DROP FOREIGN TABLE outbox_task"));
      JdbcDatabase.open(owner(), CREATE);
      database.execute("ALTER TABLE outbox_task RENAME TO kept");
      for (Fault kind : kinds) {
        database.execute(kind.plant().toArray(String[]::new));

        assertThatThrownBy(() -> JdbcDatabase.open(owner(), CREATE.schemaMode(SchemaMode.VALIDATE)))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining(kind.says())
            .hasMessageContaining("(expected: a plain table)");
        database.execute(kind.mend());
      }
    }

    @Test
    void numberOfTheTransactionBehindTheIdIsRefused() throws SQLException {
      JdbcDatabase.open(owner(), CREATE);
      database.execute(
          "ALTER TABLE outbox DROP COLUMN xid",
          "ALTER TABLE outbox ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id()");

      assertThatThrownBy(() -> JdbcDatabase.open(owner(), JdbcConfig.DEFAULTS))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox: the column xid is behind id");
    }

    @Test
    void sequenceThatMayNotBeReadStopsTheRelay() throws SQLException {
      withAccount(
          (name, source) -> {
            for (String table : OF_RELAY) {
              grant("SELECT, INSERT, UPDATE, DELETE", table, name);
            }
            assertThatThrownBy(() -> prepare(source))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("GRANT SELECT ON SEQUENCE outbox_id_seq TO " + name);
          });
    }

    @Test
    void rightsOfARoleOrOnColumnsCount() throws SQLException {
      withAccount(
          (name, source) -> {
            String role = name + "_role";
            database.execute(
                "CREATE ROLE " + role,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
                "REVOKE INSERT, UPDATE ON outbox_schema FROM " + role,
                "GRANT INSERT (version), UPDATE (partitions_keyed, partitions_keyless)"
                    + " ON outbox_schema TO "
                    + role,
                "GRANT SELECT ON SEQUENCE outbox_id_seq TO " + role,
                "GRANT " + role + " TO " + name);
            try {
              prepare(source);
            } finally {
              database.execute("DROP OWNED BY " + role, "DROP ROLE " + role);
            }
          });
    }

    @Test
    void rowLevelSecurityStopsTheStartOfWhomItAppliesTo() throws SQLException {
      withAccount(
          (name, source) -> {
            database.execute(
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + name,
                "ALTER TABLE outbox ENABLE ROW LEVEL SECURITY");

            assertThatThrownBy(() -> JdbcDatabase.open(source, JdbcConfig.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("table outbox: row-level security hides rows")
                .hasMessageContaining("ALTER TABLE outbox DISABLE ROW LEVEL SECURITY");
            assertThat(JdbcDatabase.open(owner(), JdbcConfig.DEFAULTS)).isNotNull();
          });
    }

    @Test
    void triggerThatIsAcceptedOrOffStopsNothing() throws SQLException {
      JdbcDatabase.open(owner(), CREATE);
      database.execute(
          "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
          "CREATE TRIGGER fills BEFORE INSERT ON outbox"
              + " FOR EACH ROW EXECUTE FUNCTION planted()",
          "CREATE TRIGGER notes AFTER INSERT ON outbox"
              + " FOR EACH ROW EXECUTE FUNCTION planted()");

      assertThatThrownBy(() -> JdbcDatabase.open(owner(), JdbcConfig.DEFAULTS))
          .hasMessageContaining("the trigger fills runs before each row")
          .hasMessageContaining("jdbc.accepted-triggers")
          .hasMessageNotContaining("notes");
      JdbcDatabase.open(owner(), JdbcConfig.DEFAULTS.acceptedTriggers("fills"));
      database.execute("ALTER TABLE outbox DISABLE TRIGGER fills");
      JdbcDatabase.open(owner(), JdbcConfig.DEFAULTS);
    }

    @Test
    void triggerOfTheInboxThatIsAcceptedStopsNothing() throws SQLException {
      InboxConfig config = InboxConfig.DEFAULTS;
      JdbcInbox.open(owner(), config.schemaMode(SchemaMode.CREATE));
      database.execute(
          "CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
          "CREATE TRIGGER fills BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION planted()",
          "CREATE TRIGGER other BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION planted()");

      assertThatThrownBy(() -> JdbcInbox.open(owner(), config.acceptedTriggers("fills")))
          .hasMessageContaining("the trigger other runs before each row")
          .hasMessageContaining("inbox.accepted-triggers")
          .hasMessageNotContaining("fills");
      assertThat(JdbcInbox.open(owner(), config.acceptedTriggers("fills", "other"))).isNotNull();
    }

    @Test
    void databaseOfAnotherEncodingIsRefused() throws SQLException {
      String name = "latin_" + UUID.randomUUID().toString().replace("-", "");
      database.execute(
          "CREATE DATABASE " + name + " ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
      String url = database.url().replace("/" + database.name(), "/" + name);
      DataSource latin =
          new ConnectionSource(
              () -> DriverManager.getConnection(url, database.user(), database.password()));

      assertThatThrownBy(() -> JdbcDatabase.open(latin, CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("database encoding: LATIN1 (expected: UTF8");
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements OnMySqlFamily {
    private final TestDatabase database = SharedServers.mariaDb().freshDatabase();

    @Override
    public TestDatabase database() {
      return database;
    }

    @Override
    public String collation() {
      return "utf8mb4_nopad_bin";
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql implements OnMySqlFamily {
    private final TestDatabase database = SharedServers.mySql().freshDatabase();

    @Override
    public TestDatabase database() {
      return database;
    }

    @Override
    public String collation() {
      return "utf8mb4_0900_bin";
    }
  }

  interface OnMySqlFamily extends OnDatabase {
    TestDatabase database();

    String collation();

    @Override
    default DataSource owner() {
      return new ConnectionSource(database()::connect);
    }

    @Override
    default List<Fault> faults() {
      return List.of(
          new Fault(
              "ALTER TABLE outbox_dead ENGINE=MyISAM",
              "table outbox_dead: ENGINE=MyISAM",
              "ALTER TABLE outbox_dead ENGINE=InnoDB"),
          new Fault(
              "ALTER TABLE outbox_dedup CONVERT TO CHARACTER SET latin1",
              "table outbox_dedup: business_key latin1_swedish_ci",
              "ALTER TABLE outbox_dedup CONVERT TO CHARACTER SET utf8mb4 COLLATE " + collation()),
          new Fault(
              "ALTER TABLE outbox_marker CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
              "table outbox_marker: marker_key utf8mb4_bin", // ignores spaces at the end
              "ALTER TABLE outbox_marker CONVERT TO CHARACTER SET utf8mb4 COLLATE " + collation()),
          new Fault(
              "ALTER TABLE outbox_half DROP INDEX by_key",
              "table outbox_half: no unique key by_key (half_id)",
              "ALTER TABLE outbox_half ADD UNIQUE KEY by_key (half_id)"),
          new Fault(
              "ALTER TABLE outbox_unconfirmed ENGINE=MyISAM",
              "table outbox_unconfirmed: ENGINE=MyISAM",
              "ALTER TABLE outbox_unconfirmed ENGINE=InnoDB"),
          new Fault(
              "ALTER TABLE outbox_receipt DROP PRIMARY KEY",
              "table outbox_receipt: no primary key",
              "ALTER TABLE outbox_receipt ADD PRIMARY KEY (message_id)"),
          new Fault(
              "ALTER TABLE outbox_task CONVERT TO CHARACTER SET latin1",
              "table outbox_task: task latin1_swedish_ci",
              "ALTER TABLE outbox_task CONVERT TO CHARACTER SET utf8mb4 COLLATE " + collation()),
          new Fault(
              "ALTER TABLE outbox MODIFY id BIGINT NOT NULL",
              "table outbox: the column id has no AUTO_INCREMENT",
              "ALTER TABLE outbox MODIFY id BIGINT NOT NULL AUTO_INCREMENT"),
          new Fault(
              "ALTER TABLE outbox_parked DROP PRIMARY KEY",
              "table outbox_parked: no primary key",
              "ALTER TABLE outbox_parked ADD PRIMARY KEY (partition_no,id)"));
    }

    @Override
    default String[] view() {
      return new String[] {
        "ALTER TABLE outbox_task RENAME TO kept", "CREATE VIEW outbox_task AS SELECT * FROM kept"
      };
    }

    @Override
    default DataSource account(String name) throws SQLException {
      database().execute("CREATE USER " + name + " IDENTIFIED BY 'secret'");
      grant("SELECT", "outbox_feature", name);
      return new ConnectionSource(
          () -> DriverManager.getConnection(database().url(), name, "secret"));
    }

    @Override
    default void grant(String rights, String table, String name) throws SQLException {
      database()
          .execute("GRANT " + rights + " ON " + database().name() + "." + table + " TO " + name);
    }

    @Override
    default void drop(String name) throws SQLException {
      database().execute("DROP USER " + name);
    }

    @Override
    default void grantRest(String name) {}

    @Override
    default int startStatements() {
      return 22;
    }

    @Override
    default String[] withoutInboxKey() {
      return new String[] {
        "ALTER TABLE inbox DROP PRIMARY KEY",
        "ALTER TABLE inbox ADD PRIMARY KEY (consumer,message_id)"
      };
    }

    @Test
    default void rightsOnAllDatabasesCount() throws SQLException {
      withAccount(
          (name, source) -> {
            database().execute("GRANT SELECT, INSERT, UPDATE, DELETE ON *.* TO " + name);
            prepare(source);
          });
    }

    @Test
    default void rightsOfARoleCount() throws SQLException {
      withAccount(
          (name, source) -> {
            String role = name + "_role";
            database()
                .execute(
                    "CREATE ROLE " + role,
                    "GRANT SELECT, INSERT, UPDATE, DELETE ON "
                        + database().name()
                        + ".* TO "
                        + role,
                    "GRANT " + role + " TO " + name);
            try {
              prepare(
                  new ConnectionSource(
                      () -> {
                        var connection = source.getConnection();
                        try (var statement = connection.createStatement()) {
                          statement.execute("SET ROLE " + role);
                        }
                        return connection;
                      }));
            } finally {
              database().execute("DROP ROLE " + role);
            }
          });
    }
  }

  @Nested
  final class OnH2 implements OnDatabase {
    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();
    private final DataSource owner =
        new ConnectionSource(
            () -> DriverManager.getConnection(url + ";DB_CLOSE_DELAY=-1", "sa", ""));

    private String unique = "";

    @Override
    public DataSource owner() {
      return owner;
    }

    @Override
    public List<Fault> faults() {
      return List.of(
          new Fault(
              "ALTER SEQUENCE outbox_seq INCREMENT BY 2 CYCLE",
              "sequence outbox_seq: INCREMENT BY 2, CYCLE YES",
              "ALTER SEQUENCE outbox_seq INCREMENT BY 1 NO CYCLE"),
          new Fault(
              "ALTER TABLE outbox_half DROP CONSTRAINT "
                  + uniqueOfHalf()
                  + "; CREATE UNIQUE INDEX both ON outbox_half (half_id, id)",
              "table outbox_half: half_id is not unique",
              "ALTER TABLE outbox_half ADD UNIQUE (half_id)"),
          new Fault(
              "ALTER TABLE outbox_receipt DROP PRIMARY KEY",
              "table outbox_receipt: no primary key",
              "ALTER TABLE outbox_receipt ADD PRIMARY KEY (message_id)"),
          new Fault(
              "ALTER TABLE outbox ALTER COLUMN id DROP DEFAULT",
              "table outbox: the default of the column id is null",
              "ALTER TABLE outbox ALTER COLUMN id SET DEFAULT NEXT VALUE FOR outbox_seq"),
          new Fault(
              "ALTER TABLE outbox_parked DROP PRIMARY KEY",
              "table outbox_parked: no primary key",
              "ALTER TABLE outbox_parked ADD PRIMARY KEY (partition_no,id)"));
    }

    @Override
    public String[] view() {
      return new String[] {
        "ALTER TABLE outbox_task RENAME TO kept", "CREATE VIEW outbox_task AS SELECT * FROM kept"
      };
    }

    @Override
    public int startStatements() {
      return 113; // a lease each
    }

    @Override
    public List<String> readable(String... tables) {
      return List.of(tables); // no previous one
    }

    /** H2 makes the name up. */
    private String uniqueOfHalf() {
      if (unique.isEmpty()) {
        try (Connection connection = owner.getConnection()) {
          unique =
              Sql.of(
                      "SELECT CONSTRAINT_NAME FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE"
                          + " LOWER(TABLE_NAME) = 'outbox_half' AND CONSTRAINT_TYPE = 'UNIQUE'")
                  .query(connection, row -> row.getString(1))
                  .get(0);
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
      return unique;
    }

    @Override
    public String[] withoutInboxKey() {
      return new String[] {
        "ALTER TABLE inbox DROP PRIMARY KEY",
        "ALTER TABLE inbox ADD PRIMARY KEY (consumer,message_id)"
      };
    }

    @Override
    public DataSource account(String name) {
      EmptyDatabase.execute(owner, "CREATE USER " + name + " PASSWORD 'secret'");
      grant("SELECT", "outbox_feature", name);
      return new ConnectionSource(() -> DriverManager.getConnection(url, name, "secret"));
    }

    @Override
    public void grant(String rights, String table, String name) {
      EmptyDatabase.execute(owner, "GRANT " + rights + " ON " + table + " TO " + name);
    }

    @Override
    public void drop(String name) {
      EmptyDatabase.execute(owner, "DROP USER " + name);
    }

    @Override
    public void grantRest(String name) {}
  }

  /** The same on every database. */
  interface OnDatabase {
    List<String> OF_RELAY =
        List.of(
            "outbox",
            "outbox_delayed",
            "outbox_parked",
            "outbox_dead",
            "outbox_node",
            "outbox_lease",
            "outbox_schema");

    /** May do everything. */
    DataSource owner();

    List<Fault> faults();

    /** Makes a view of the table of tasks. */
    String[] view();

    /** Creates an account that may read what is read when the database is opened. */
    DataSource account(String name) throws SQLException;

    void grant(String rights, String table, String name) throws SQLException;

    /** What is no table. */
    void grantRest(String name) throws SQLException;

    void drop(String name) throws SQLException;

    /** Takes the key of an inbox away, and what puts it back. */
    String[] withoutInboxKey();

    /** How many statements a start may take. */
    int startStatements();

    @Test
    default void inboxWithoutItsKeyIsRefused() {
      JdbcInbox.open(owner(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      EmptyDatabase.execute(owner(), withoutInboxKey()[0]);

      assertThatThrownBy(() -> JdbcInbox.open(owner(), InboxConfig.DEFAULTS))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table inbox: no primary key")
          .hasMessageContaining(withoutInboxKey()[1]);
      EmptyDatabase.execute(owner(), withoutInboxKey()[1]);
      assertThat(JdbcInbox.open(owner(), InboxConfig.DEFAULTS)).isNotNull();
    }

    @Test
    default void eachRightThatTheInboxLacksIsNamed() throws SQLException {
      JdbcInbox.open(owner(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      withAccount(
          (name, source) -> {
            for (String table : readable("inbox", "inbox_schema", "inbox_feature")) {
              grant("SELECT", table, name);
            }

            assertThatThrownBy(() -> JdbcInbox.open(source, InboxConfig.DEFAULTS))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("GRANT INSERT ON inbox TO ");
            grant("INSERT", "inbox", name);
            assertThat(JdbcInbox.open(source, InboxConfig.DEFAULTS)).isNotNull();
          });
    }

    /** The tables that an account of the inbox must be able to read. */
    default List<String> readable(String... tables) {
      List<String> all = new ArrayList<>(List.of(tables));
      all.add("inbox_previous");
      return all;
    }

    /** What is asked for, and the rights that it needs besides SELECT. */
    record Feature(Function<JdbcDatabase, Object> use, List<String> rights) {}

    List<Feature> FEATURES =
        List.of(
            new Feature(
                database -> database.halfMessages(MessageIntake.of(null), Handover.NONE),
                List.of(
                    "INSERT ON outbox_half",
                    "UPDATE ON outbox_half",
                    "DELETE ON outbox_half_check",
                    "INSERT ON outbox",
                    "INSERT ON outbox_delayed")),
            new Feature(
                JdbcDatabase::checkStore,
                List.of(
                    "UPDATE ON outbox_half",
                    "INSERT ON outbox_half_check",
                    "UPDATE ON outbox_half_check",
                    "DELETE ON outbox_half_check",
                    "INSERT ON outbox_half_alert",
                    "UPDATE ON outbox_half_alert",
                    "DELETE ON outbox_half_alert")),
            new Feature(
                JdbcDatabase::confirmations,
                List.of(
                    "UPDATE ON outbox_unconfirmed",
                    "DELETE ON outbox_unconfirmed",
                    "INSERT ON outbox_receipt",
                    "DELETE ON outbox_receipt",
                    "INSERT ON outbox",
                    "INSERT ON outbox_dead")),
            new Feature(
                JdbcDatabase::taskProgress,
                List.of("INSERT ON outbox_task", "UPDATE ON outbox_task")));

    @Test
    default void eachRightThatAFeatureLacksIsNamed() throws SQLException {
      withAccount(
          (name, source) -> {
            List<String> tables = new ArrayList<>(OF_RELAY);
            tables.addAll(List.of("outbox_half", "outbox_half_check", "outbox_half_audit"));
            tables.addAll(List.of("outbox_half_alert", "outbox_intake_topic", "outbox_task"));
            tables.addAll(List.of("outbox_unconfirmed", "outbox_receipt", "outbox_marker"));
            for (String table : tables) {
              grant("SELECT", table, name);
            }
            JdbcDatabase database = JdbcDatabase.open(source, JdbcConfig.DEFAULTS);
            for (Feature feature : FEATURES) {
              ConfigurationException thrown =
                  catchThrowableOfType(
                      ConfigurationException.class, () -> feature.use().apply(database));

              assertThat(thrown.getMessage())
                  .contains(feature.rights().stream().map(right -> "GRANT " + right).toList());
              assertThat(thrown.faults()).hasSameSizeAs(feature.rights());
            }
            for (Feature feature : FEATURES) {
              for (String right : feature.rights()) {
                int on = right.indexOf(" ON ");
                grant(right.substring(0, on), right.substring(on + 4), name);
              }
              assertThat(feature.use().apply(database)).isNotNull();
            }
          });
    }

    @Test
    default void startTakesFewStatements() throws SQLException {
      JdbcDatabase.open(owner(), CREATE);
      List<String> statements = new ArrayList<>();
      prepare(new ConnectionSource(() -> Counted.of(owner().getConnection(), statements::add)));

      assertThat(statements.size()).isLessThanOrEqualTo(startStatements());
    }

    @Test
    default void eachFaultIsNamedWithTheStatementThatMendsIt() {
      JdbcDatabase.open(owner(), CREATE);
      for (Fault fault : faults()) {
        EmptyDatabase.execute(owner(), fault.plant().toArray(String[]::new));

        assertThatThrownBy(() -> JdbcDatabase.open(owner(), CREATE.schemaMode(SchemaMode.VALIDATE)))
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContaining(fault.says())
            .hasMessageContaining(fault.mend());
        EmptyDatabase.execute(owner(), fault.mend());
        assertThat(JdbcDatabase.open(owner(), CREATE.schemaMode(SchemaMode.VALIDATE))).isNotNull();
      }
    }

    @Test
    default void allFaultsAreListedAtOnce() {
      JdbcDatabase.open(owner(), CREATE);
      faults()
          .forEach(fault -> EmptyDatabase.execute(owner(), fault.plant().toArray(String[]::new)));

      ConfigurationException thrown =
          catchThrowableOfType(
              ConfigurationException.class,
              () -> JdbcDatabase.open(owner(), CREATE.schemaMode(SchemaMode.VALIDATE)));

      assertThat(thrown.faults()).hasSize(faults().size());
      assertThat(thrown.getMessage()).contains(faults().stream().map(Fault::says).toList());
      JdbcDatabase.open(owner(), CREATE.schemaMode(SchemaMode.NONE));
    }

    @Test
    default void viewIsNoTable() {
      JdbcDatabase.open(owner(), CREATE);
      EmptyDatabase.execute(owner(), view());

      assertThatThrownBy(() -> JdbcDatabase.open(owner(), CREATE.schemaMode(SchemaMode.VALIDATE)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_task: ")
          .hasMessageContaining("(expected: a plain table)");
    }

    @Test
    default void eachRightThatTheRelayLacksIsNamed() throws SQLException {
      withAccount(
          (name, source) -> {
            List<String> lacking = new ArrayList<>();
            for (String table : OF_RELAY) {
              grant("SELECT", table, name);
              for (String right : List.of("INSERT", "UPDATE", "DELETE")) {
                lacking.add("GRANT " + right + " ON " + table + " TO ");
              }
            }
            grantRest(name);
            lacking.remove("GRANT DELETE ON outbox_schema TO ");
            lacking.remove("GRANT INSERT ON outbox_schema TO ");
            lacking.remove("GRANT DELETE ON outbox_lease TO ");
            lacking.remove("GRANT UPDATE ON outbox_dead TO "); // for who requeues them
            lacking.remove("GRANT DELETE ON outbox_dead TO ");
            lacking.remove("GRANT INSERT ON outbox_delayed TO "); // its producers need it
            lacking.remove("GRANT UPDATE ON outbox_delayed TO ");

            ConfigurationException thrown =
                catchThrowableOfType(ConfigurationException.class, () -> prepare(source));

            assertThat(thrown.getMessage()).contains(lacking);
            assertThat(thrown.faults()).hasSameSizeAs(lacking);
          });
    }

    @Test
    default void relayWithItsRightsAndNoOthersIsPrepared() throws SQLException {
      withAccount(
          (name, source) -> {
            for (String table : OF_RELAY) {
              grant("SELECT, INSERT, UPDATE, DELETE", table, name);
            }
            grantRest(name);
            prepare(source);

            JdbcConfig history = JdbcConfig.DEFAULTS.history(true);
            try (JdbcLeaseStore leases = JdbcDatabase.open(source, history).leases()) {
              assertThatThrownBy(() -> leases.prepare(Partitioning.DEFAULTS))
                  .isInstanceOf(ConfigurationException.class)
                  .hasMessageContainingAll("outbox_sent: the right INSERT is missing");
            }
          });
    }

    /** Done with an account. */
    interface Work {
      void with(String name, DataSource source) throws SQLException;
    }

    default void withAccount(Work work) throws SQLException {
      JdbcDatabase.open(owner(), CREATE);
      String name = "relay_" + Long.toString(System.nanoTime(), 36);
      DataSource source = account(name);
      try {
        grant("SELECT", "outbox_feature", name);
        grant("SELECT", "outbox_sent", name);
        grant("SELECT", "outbox_dedup", name);
        work.with(name, source);
      } finally {
        drop(name);
      }
    }
  }
}
