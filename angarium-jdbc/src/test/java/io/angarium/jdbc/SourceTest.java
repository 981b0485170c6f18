package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.WrongSourceException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.PhysicalConnection;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.reconciliation.Window;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.RoutedConnection;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Whatever connection a data source hands out, one outbox stays the one that is relayed. */
final class SourceTest {
  private static final JdbcConfig CREATE = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
  private static final JdbcConfig ALL = EmptyDatabase.WITH_ALL_TABLES.schemaMode(SchemaMode.CREATE);
  private static final Message MESSAGE = Message.of("kafka:a", new byte[] {1}).key("k");
  private static final Marker MARKER = new Marker("order", "1");
  private static final NodeId NODE = new NodeId("a", new UUID(0, 1));

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OtherDatabasesBefore, OtherSchemas {
    private final TestDatabase database = SharedServers.postgres().freshDatabase();

    @Override
    public List<String> schemas() {
      return List.of("Mixed", "mixed", "select");
    }

    @Override
    public String random() {
      return "gen_random_uuid()";
    }

    @Override
    public DataSource database() {
      return new ConnectionSource(database::connect);
    }

    @Override
    public DataSource another() {
      return EmptyDatabase.postgres();
    }

    @Override
    public void use(Connection connection, String schema) throws SQLException {
      connection.setSchema(schema);
    }

    @Test
    void connectionWithoutASchemaNeedsAConfiguredOne() {
      EmptyDatabase.execute(database(), "CREATE SCHEMA home");
      DataSource lost = started(database(), c -> c.setSchema("nowhere"));

      assertThatThrownBy(() -> JdbcDatabase.open(lost, CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("jdbc.schema: not set", "search_path");
      assertWorks(lost, CREATE.schema("home"), "SELECT count(*) FROM home.outbox");
    }

    @Test
    void tablesThatTheSearchPathFindsAreTakenAndNoOthersMade() {
      assertPathFindsTables(
          this, started(database(), c -> execute(c, "SET search_path = app, public")));

      // the first of two sets counts
      JdbcDatabase.open(database(), CREATE.schema("app"));
      assertWorks(
          started(database(), c -> execute(c, "SET search_path = app, public")),
          CREATE,
          "SELECT count(*) FROM app.outbox");
    }

    @Test
    void tableOfAnInboxThatIsRenamedMayHaveAReservedName() {
      String rename =
          new TableNames(InboxConfig.DEFAULTS.tables("order"))
              .inRenaming("ALTER TABLE inbox_rotating RENAME TO :inbox");

      assertThat(rename).isEqualTo("ALTER TABLE order_rotating RENAME TO \"order\"");
    }

    @Test
    void transactionOfADatabaseWithoutTablesIsRefused() {
      Routing routing = new Routing(database());
      JdbcDatabase opened = JdbcDatabase.open(routing.source, CREATE);

      routing.to(another());

      assertThatThrownBy(() -> send(opened))
          .isInstanceOf(WrongSourceException.class)
          .hasMessageContaining("without a number");
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OtherSchemas {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public List<String> schemas() {
      return List.of("Mixed_" + Long.toString(System.nanoTime(), 36));
    }

    @Override
    public String random() {
      return "UNHEX(REPLACE(UUID(), '-', ''))";
    }

    @Override
    public DataSource database() {
      return database;
    }

    @Override
    public void use(Connection connection, String schema) throws SQLException {
      connection.setCatalog(schema);
    }

    @Test
    void connectionWithoutADatabaseNeedsAConfiguredOne() throws Exception {
      TestDatabase named = SharedServers.mariaDb().freshDatabase();
      String home;
      try (Connection connection = named.connect()) {
        home = connection.getCatalog();
      }
      DataSource lost =
          new ConnectionSource(
              () ->
                  DriverManager.getConnection(
                      named.url().replace("/" + home, "/"), named.user(), named.password()));

      assertThatThrownBy(() -> JdbcDatabase.open(lost, CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("jdbc.schema: not set", "no default database");
      assertWorks(lost, CREATE.schema(home), "SELECT count(*) FROM " + home + ".outbox");
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OtherSchemas {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public List<String> schemas() {
      return List.of("Mixed_" + Long.toString(System.nanoTime(), 36));
    }

    @Override
    public String random() {
      return "UNHEX(REPLACE(UUID(), '-', ''))";
    }

    @Override
    public DataSource database() {
      return database;
    }

    @Override
    public void use(Connection connection, String schema) throws SQLException {
      connection.setCatalog(schema);
    }
  }

  @Nested
  final class OnH2 implements OtherDatabasesBefore, OtherSchemas {
    private final DataSource database = EmptyDatabase.h2InMemory();

    @Override
    public List<String> prefixes() {
      return List.of("a", "o");
    }

    @Test
    void dataSourceThatRoutesEachStatementIsRefusedByName() {
      DataSource routes = new ConnectionSource(() -> RoutedConnection.of(database.getConnection()));

      assertThatThrownBy(() -> JdbcDatabase.open(routes, CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("data source: ShardingSphere")
          .hasMessageContaining("HintManager.setDataSourceName");
    }

    @Test
    void keysOfAnotherDatabaseAreNotReadForAReconciliation() {
      Routing routing = new Routing(database());
      JdbcDatabase opened = JdbcDatabase.open(routing.source, CREATE.history(true));
      DataSource other = another();
      send(JdbcDatabase.open(other, CREATE.history(true)));
      Window window = new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(1));

      routing.to(other);

      assertThatThrownBy(
              () ->
                  opened
                      .produced("kafka:a")
                      .keys(window, key -> fail("key of the other database: " + key)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("the data source routes");
    }

    @Test
    void tablesThatTheSearchPathFindsAreTakenAndNoOthersMade() {
      assertPathFindsTables(
          this,
          started(
              database(), c -> execute(c, "SET SCHEMA app", "SET SCHEMA_SEARCH_PATH app, public")));
    }

    /** As each application of a server brings its own. */
    @Test
    void driverIsFoundWhicheverClassLoaderBringsIt() throws Exception {
      URL driver = org.h2.Driver.class.getProtectionDomain().getCodeSource().getLocation();
      try (URLClassLoader application =
          new URLClassLoader(new URL[] {driver}, ClassLoader.getPlatformClassLoader())) {
        java.sql.Driver own =
            (java.sql.Driver)
                application.loadClass("org.h2.Driver").getDeclaredConstructor().newInstance();
        try (Connection physical = own.connect("jdbc:h2:mem:", new Properties())) {
          Connection pooled =
              (Connection)
                  Proxy.newProxyInstance(
                      application,
                      new Class<?>[] {Connection.class},
                      (proxy, method, arguments) -> method.invoke(physical, arguments));

          assertThat(PhysicalConnection.of(pooled)).isSameAs(physical);
        }
      }
    }

    @Test
    void wordThatIsReservedIsNoPrefix() {
      assertThatThrownBy(() -> JdbcDatabase.open(database, CREATE.tables("order")))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("jdbc.tables: order (expected: no word that is reserved in H2)");
    }

    @Override
    public List<String> schemas() {
      return List.of("Mixed", "mixed", "select");
    }

    @Override
    public String random() {
      return "RANDOM_UUID()";
    }

    @Override
    public DataSource database() {
      return database;
    }

    @Override
    public DataSource another() {
      return EmptyDatabase.h2InMemory();
    }

    @Override
    public void use(Connection connection, String schema) throws SQLException {
      connection.setSchema(schema.toUpperCase(Locale.ROOT));
    }
  }

  /** Leads where it is told to. */
  private static final class Routing {
    private final AtomicReference<DataSource> target;
    final DataSource source;

    Routing(DataSource first) {
      this.target = new AtomicReference<>(first);
      this.source = new ConnectionSource(() -> target.get().getConnection());
    }

    void to(DataSource other) {
      target.set(other);
    }
  }

  private interface Start {
    void of(Connection connection) throws SQLException;
  }

  /** An outbox and an inbox are in the second schema of the path. */
  private static void assertPathFindsTables(OtherSchemas server, DataSource path) {
    JdbcDatabase.open(server.database(), CREATE);
    JdbcInbox.open(server.database(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    EmptyDatabase.execute(server.database(), "CREATE SCHEMA app");

    assertWorks(path, CREATE, "SELECT count(*) FROM public.outbox");
    JdbcInbox.open(path, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE))
        .process(new InboxKey("stock", new UUID(1, 1)), c -> {});
    assertThat(EmptyDatabase.number(path, "SELECT count(*) FROM public.inbox")).isEqualTo(1);
    assertThat(
            EmptyDatabase.number(
                path,
                "SELECT count(*) FROM information_schema.tables WHERE LOWER(table_schema) = 'app'"))
        .isZero();
  }

  private static void execute(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  private static DataSource started(DataSource database, Start start) {
    return new ConnectionSource(
        () -> {
          Connection connection = database.getConnection();
          start.of(connection);
          return connection;
        });
  }

  private static void send(JdbcDatabase database) {
    database
        .outbox(MessageIntake.of(null), Handover.NONE)
        .inTransaction((connection, out) -> out.send(MESSAGE));
  }

  private static List<StoredMessage> everything(JdbcOutboxStore store) {
    List<SequenceRange> spans =
        Arrays.stream(Partitioning.DEFAULTS.all())
            .mapToObj(p -> SequenceRange.after(p, 0))
            .toList();
    return store.read(spans, ReadLimit.rows(10)).rows();
  }

  /** Does what touches the tables of all features that the configuration names. */
  private static void assertWorks(DataSource dataSource, JdbcConfig config, String count) {
    JdbcDatabase database = JdbcDatabase.open(PatientDatabase.of(dataSource), config);
    long before = EmptyDatabase.number(dataSource, count);
    try (JdbcLeaseStore leases = database.leases();
        JdbcOutboxStore store = database.store()) {
      leases.prepare(Partitioning.DEFAULTS);
      leases.heartbeat(NODE, true, Duration.ofSeconds(9));
      List<Lease> held = leases.acquire(NODE, List.of(0, 1), Duration.ZERO);
      assertThat(store.held(held)).hasSize(2);
      send(database);
      assertThat(EmptyDatabase.number(dataSource, count)).isEqualTo(before + 1);
      assertThat(store.lastSequence()).isPositive();
      assertThat(store.backlog().depth()).isEqualTo(1);
      assertThat(store.glance(List.of(0)).lastSequence()).isPositive();
      assertThat(store.blockedKeys(List.of(0, 1))).isEmpty();
      assertThat(store.enqueueDue(held, 10)).isEmpty();
      store.delete(everything(store).stream().map(StoredMessage::position).toList());
      assertThat(store.deadLetters().page(null, null, 10)).isEmpty();
    }
    assertThat(EmptyDatabase.number(dataSource, count)).isEqualTo(before);
    if (config.features().contains(SchemaFeature.MARKER)) {
      JdbcLocalTransactions local = database.localTransactions();
      assertThat(local.<String, RuntimeException>run(MARKER, connection -> "done"))
          .isEqualTo("done");
      assertThat(local.check(MARKER)).isEqualTo(Verdict.COMMITTED);
      database.confirmations().confirm(List.of(new MessageId(new UUID(1, 1))));
      database.retention().deleteSent(Duration.ZERO);
      assertThat(database.halfMessageDesk(Handover.NONE).unresolved(0, 10)).isEmpty();
    }
  }

  interface Tables {
    DataSource database();

    /** An expression. */
    String random();

    @Test
    default void tablesThatWereCreatedAnewAreNotThoseThatAreRelayed() {
      JdbcDatabase opened = JdbcDatabase.open(database(), ALL);
      EmptyDatabase.execute(database(), "DELETE FROM outbox_schema");
      EmptyDatabase.execute(
          database(), "INSERT INTO outbox_schema (version, source) VALUES (1, " + random() + ")");

      assertThatThrownBy(() -> send(opened))
          .isInstanceOf(WrongSourceException.class)
          .hasMessageContaining("which is relayed");
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox")).isZero();
      assertThatThrownBy(() -> opened.localTransactions().run(MARKER, connection -> "not reached"))
          .isInstanceOf(WrongSourceException.class);
      try (JdbcOutboxStore store = opened.store();
          JdbcLeaseStore leases = opened.leases()) {
        assertThatThrownBy(store::lastSequence)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("The connection leads to the outbox ");
        assertThatThrownBy(() -> leases.heartbeat(NODE, true, Duration.ofSeconds(9)))
            .isInstanceOf(StoreException.class);
      }
    }

    @Test
    default void physicalConnectionIsAskedOnceHoweverOftenAPoolHandsItOut() throws SQLException {
      List<String> executed = new ArrayList<>();
      JdbcDatabase opened = JdbcDatabase.open(database(), CREATE);
      try (Connection physical = database().getConnection()) {
        physical.setAutoCommit(false);
        for (int i = 0; i < 3; i++) {
          opened
              .outbox(MessageIntake.of(null), Handover.NONE)
              .on(Counted.of(physical, executed::add))
              .send(MESSAGE);
          physical.commit();
        }
      }

      assertThat(executed).filteredOn(sql -> sql.contains("FROM outbox_schema")).hasSize(1);
      assertThat(executed).hasSize(4);
    }

    @Test
    default void rowThatSomebodyDeletedIsPutBackAsItWas() {
      JdbcDatabase opened = JdbcDatabase.open(database(), CREATE);
      Partitioning partitioning = new Partitioning(7, 2);
      try (JdbcLeaseStore leases = opened.leases()) {
        leases.prepare(partitioning);
        EmptyDatabase.execute(database(), "DELETE FROM outbox_schema", "DELETE FROM outbox_lease");

        leases.prepare(partitioning);
      }

      send(opened); // asks a connection that nobody has asked
      assertThat(
              EmptyDatabase.number(
                  database(), "SELECT COUNT(*) FROM outbox_schema WHERE partitions_keyed = 7"))
          .isEqualTo(1);
    }

    @Test
    default void tablesOfTheVersionBeforeDoNotTellAndWork() {
      JdbcDatabase.open(database(), CREATE);
      EmptyDatabase.execute(
          database(),
          "ALTER TABLE outbox_schema DROP COLUMN source",
          "UPDATE outbox_feature SET version = 2");

      assertWorks(database(), JdbcConfig.DEFAULTS, "SELECT COUNT(*) FROM outbox");
    }
  }

  interface OtherDatabases extends Tables {
    DataSource another();

    @Test
    default void transactionOfAnotherDatabaseIsRefusedAndNothingThereIsTouched() {
      Routing routing = new Routing(database());
      JdbcDatabase opened = JdbcDatabase.open(routing.source, CREATE);
      DataSource other = another();
      send(JdbcDatabase.open(other, CREATE));

      routing.to(other);

      assertThatThrownBy(() -> send(opened))
          .isInstanceOf(WrongSourceException.class)
          .hasMessageContaining("the data source routes");
      try (JdbcOutboxStore store = opened.store()) {
        assertThatThrownBy(() -> store.delete(List.of(new Position(0, 1))))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("the data source routes");
        routing.to(database());
        assertThat(store.lastSequence()).isZero();
      }
      assertThat(EmptyDatabase.number(other, "SELECT COUNT(*) FROM outbox")).isEqualTo(1);
    }
  }

  interface OtherDatabasesBefore extends OtherDatabases {
    @Test
    default void anotherDatabaseWhoseTablesDoNotTellIsRefused() {
      Routing routing = new Routing(database());
      JdbcDatabase opened = JdbcDatabase.open(routing.source, CREATE);
      DataSource other = another();
      JdbcDatabase.open(other, CREATE);
      for (String change :
          List.of("DELETE FROM outbox_schema", "ALTER TABLE outbox_schema DROP COLUMN source")) {
        EmptyDatabase.execute(other, change);
        routing.to(other);

        assertThatThrownBy(() -> send(opened))
            .isInstanceOf(WrongSourceException.class)
            .hasMessageContaining("without a number at jdbc:");
      }
      assertThat(EmptyDatabase.number(other, "SELECT COUNT(*) FROM outbox")).isZero();
    }
  }

  interface OtherSchemas extends Tables {
    void use(Connection connection, String schema) throws SQLException;

    @Test
    default void currentSchemaOfAConnectionDoesNotMatter() {
      JdbcDatabase opened = JdbcDatabase.open(database(), ALL);
      String tenant = "tenant_" + Long.toString(System.nanoTime(), 36);
      EmptyDatabase.execute(database(), "CREATE SCHEMA " + tenant);
      DataSource tenants = started(database(), connection -> use(connection, tenant));
      send(JdbcDatabase.open(tenants, CREATE));
      assertThat(EmptyDatabase.number(tenants, "SELECT COUNT(*) FROM outbox")).isEqualTo(1);
      Routing routing = new Routing(database());
      JdbcDatabase common = JdbcDatabase.open(routing.source, JdbcConfig.DEFAULTS);

      routing.to(tenants);

      send(common);
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox")).isEqualTo(1);
      try (JdbcOutboxStore store = common.store()) {
        List<StoredMessage> rows = everything(store);
        assertThat(rows).hasSize(1);
        store.delete(rows.stream().map(StoredMessage::position).toList());
      }
      assertThat(EmptyDatabase.number(database(), "SELECT COUNT(*) FROM outbox")).isZero();
      assertThat(EmptyDatabase.number(tenants, "SELECT COUNT(*) FROM outbox")).isEqualTo(1);
      assertThat(opened.product()).isEqualTo(common.product());
    }

    /** Names that are reserved, or differ from others by their capitals. */
    List<String> schemas();

    default List<String> prefixes() {
      return List.of("a", "o", "order", "user");
    }

    @Test
    default void namesThatNeedQuotesOrAreShortWork() {
      String quote = quote();
      for (String schema : schemas()) {
        String quoted = quote + schema + quote;
        EmptyDatabase.execute(database(), "CREATE SCHEMA " + quoted);
        for (String tables : prefixes()) {
          JdbcConfig config = ALL.schema(schema).tables(tables);
          String count = "SELECT COUNT(*) FROM %s.%s".formatted(quoted, tables);
          assertWorks(database(), config, count);
        }
      }
    }

    /**
     * The application chooses that name; only a name in our configuration is limited to letters.
     */
    @Test
    default void nameOfTheCurrentSchemaMayHaveAnySigns() {
      String schema = "SHOP-1$1_" + Long.toString(System.nanoTime(), 36).toUpperCase(Locale.ROOT);
      String quoted = quote() + schema + quote();
      EmptyDatabase.execute(database(), "CREATE SCHEMA " + quoted);

      DataSource there = started(database(), connection -> use(connection, schema));

      assertWorks(there, ALL, "SELECT COUNT(*) FROM %s.outbox".formatted(quoted));
    }

    private String quote() {
      try (Connection connection = database().getConnection()) {
        return connection.getMetaData().getIdentifierQuoteString();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
