package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertStore;
import io.angarium.board.NodeBoard;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.desk.Desk;
import io.angarium.desk.MessageBrowser;
import io.angarium.half.HalfListener;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.alert.JdbcAlerts;
import io.angarium.jdbc.internal.board.JdbcNodeBoard;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.desk.JdbcConfirmationDesk;
import io.angarium.jdbc.internal.desk.JdbcDesk;
import io.angarium.jdbc.internal.desk.JdbcMessageBrowser;
import io.angarium.jdbc.internal.desk.JdbcPauses;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.operation.JdbcOperations;
import io.angarium.jdbc.internal.report.JdbcReports;
import io.angarium.jdbc.internal.schema.PreparedFeatures;
import io.angarium.jdbc.internal.schema.Schema;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.session.DruidWall;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Servers;
import io.angarium.jdbc.internal.session.Source;
import io.angarium.jdbc.internal.sql.AutoCommit;
import io.angarium.jdbc.internal.sql.FailureText;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.write.MessageWriter;
import io.angarium.jdbc.reconciliation.JdbcTaskProgress;
import io.angarium.jdbc.reconciliation.ProducedMessages;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationStore;
import io.angarium.pause.PauseStore;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.relay.settings.RelayListener;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database that holds an outbox, and the entry point of this package. Opening it prepares the
 * tables of the outbox and of the features that the configuration names. The tables of another
 * feature are prepared when it is first asked for, on a connection that is taken for a moment.
 * Missing tables are a {@link ConfigurationException} there. Holds no connection itself.
 * Thread-safe.
 */
public final class JdbcDatabase {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcDatabase.class);

  /** Pools that are used up report what a database that is away does. */
  private static final String SPARE_CONNECTION =
      ", and that the pool has a connection to spare: a callback of Flyway holds one meanwhile";

  private final OpenDatabase database;
  private final PreparedFeatures features;

  private JdbcDatabase(OpenDatabase database, PreparedFeatures features) {
    this.database = database;
    this.features = features;
  }

  /**
   * Finds out which database it is and checks or creates the tables as configured. Blocks.
   *
   * @param dataSource for a relay a pool of at least six connections, besides what the application
   *     uses itself; {@link #leases()} asks well-known pools for their size
   * @throws ConfigurationException if the database is unknown, too old or an {@link OtherServer},
   *     or its tables are not as expected; lists every fault
   * @throws StoreException if the database cannot be reached or refuses
   */
  public static JdbcDatabase open(DataSource dataSource, JdbcConfig config) {
    return open(dataSource, config, TimeSource.SYSTEM);
  }

  /**
   * Opens a database like {@link #open(DataSource, JdbcConfig)}, with a clock of the caller's own.
   */
  public static JdbcDatabase open(DataSource dataSource, JdbcConfig config, TimeSource time) {
    try (AutoCommit alone = AutoCommit.begin(dataSource)) {
      Connection connection = alone.connection();
      requireOneDatabase(connection);
      DruidWall.requireOpen(dataSource);
      requireProved(connection, config.acceptedServer());
      Dialect dialect = Dialects.of(connection, new TableNames(config));
      Schema schema = new Schema(dialect, config);
      Set<SchemaFeature> first = PreparedFeatures.of(config);
      schema.prepare(connection, first);
      OpenDatabase database =
          new OpenDatabase(dataSource, dialect, config, time, new Source(dialect, time));
      database.source().open(connection, config.schemaMode() != SchemaMode.NONE);
      return new JdbcDatabase(database, new PreparedFeatures(database, schema, first));
    } catch (SQLException e) {
      throw new StoreException(
          "Failed opening the outbox's database"
              + FailureText.of(e)
              + "; check that it runs and that URL, user and password are right"
              + (e instanceof SQLTransientConnectionException ? SPARE_CONNECTION : ""),
          e);
    }
  }

  /** One that routes each statement by itself has no transaction that a message could join. */
  private static void requireOneDatabase(Connection connection) throws SQLException {
    for (Object part : List.of(connection, connection.getMetaData())) {
      if (part.getClass().getName().startsWith("org.apache.shardingsphere.")) {
        throw new ConfigurationException(
            List.of(
                "data source: ShardingSphere, which routes each statement by itself, so that a"
                    + " message and its business data could be in two databases (expected: one"
                    + " database). Give each of its databases an outbox and a relay on its own"
                    + " plain data source, and write the business data of a transaction to one of"
                    + " them with HintManager.setDataSourceName"));
      }
    }
  }

  private static void requireProved(Connection connection, @Nullable OtherServer accepted)
      throws SQLException {
    String words = Dialects.words(connection);
    OtherServer other = OtherServer.of(words);
    if (other == null) {
      return;
    }
    if (other != accepted) {
      throw new ConfigurationException(
          List.of(
              "database: %s (\"%s\") (expected: PostgreSQL, MySQL, MariaDB or H2 with one writer, on which it was proved that nothing is lost and that keys keep their order). docs/operations.md#other-servers says what may fail; after tests of your own set jdbc.accepted-server=%s"
                  .formatted(other, words, other.property())));
    }
    LOG.warn(
        "The database is {} (\"{}\"), as jdbc.accepted-server says: it was not proved there that"
            + " nothing is lost and that keys keep their order",
        other,
        words);
  }

  /**
   * This database with a data source of its own for the relay, half messages, check-backs,
   * retention and persons' work. The outbox and local transactions stay where they are. Takes no
   * connection yet.
   *
   * @param own leads to the same tables, which each of its connections is asked for once; not
   *     through a pooler that gives each transaction another session
   */
  public JdbcDatabase relayingFrom(DataSource own) {
    return new JdbcDatabase(database.sessionsFrom(own), features);
  }

  /** The database's name as its makers write it, e.g. {@code PostgreSQL}. */
  public String product() {
    return database.dialect().database();
  }

  /** Whether sent messages are kept, as the configuration says. */
  public boolean keepsHistory() {
    return database.config().history();
  }

  /**
   * Tells whether the tables of a feature are there, no matter which process uses them. Blocks;
   * creates none.
   *
   * @throws IllegalArgumentException for the inbox, whose tables belong to no outbox
   * @throws StoreException if the database cannot be reached or refuses
   */
  public boolean has(SchemaFeature feature) {
    return features.has(feature);
  }

  /**
   * Counts undecided half messages by their business. Takes no connection yet.
   *
   * @throws ConfigurationException if their tables are missing or not as expected
   */
  public JdbcUndecided undecided() {
    features.require(SchemaFeature.HALF);
    return new JdbcUndecided(database);
  }

  /** A new store for a relay; the caller closes it. Takes no connection yet. */
  public JdbcOutboxStore store() {
    return new JdbcOutboxStore(database);
  }

  /**
   * A new lease store for a relay; the caller closes it. Takes no connection yet.
   *
   * @throws ConfigurationException if the pool is known to have too few for a relay
   */
  public JdbcLeaseStore leases() {
    return new JdbcLeaseStore(database);
  }

  /** The servers that its connections have led to. */
  Servers servers() {
    return database.source().servers();
  }

  /** What writes messages into transactions that somebody else manages. */
  public OutboxWriter writer() {
    return new OutboxWriter(new MessageWriter(database));
  }

  /** What writes and asks the markers of transactions that somebody else manages. */
  public JdbcMarkers markers() {
    features.require(SchemaFeature.MARKER);
    return new JdbcMarkers(database);
  }

  /** Local transactions for half messages, each on a connection of its own. */
  public JdbcLocalTransactions localTransactions() {
    return new JdbcLocalTransactions(database.dataSource(), markers());
  }

  /**
   * Half messages whose outbox is in this database; the caller closes them. Takes a connection for
   * a moment, to look at the account's rights.
   *
   * @param handover the relay of this process, or {@link Handover#NONE}
   */
  public JdbcHalfMessages halfMessages(MessageIntake intake, Handover handover) {
    return halfMessages(intake, handover, HalfListener.NONE);
  }

  /**
   * Returns half messages like {@link #halfMessages(MessageIntake, Handover)}, and notifies a
   * listener.
   *
   * @param listener hears what becomes of them; must not throw, see {@link HalfListener#all}
   */
  public JdbcHalfMessages halfMessages(
      MessageIntake intake, Handover handover, HalfListener listener) {
    require(SchemaFeature.HALF, TableDialect.OF_HALF);
    return new JdbcHalfMessages(database, intake, handover, listener, JdbcHalfMessages.SESSIONS);
  }

  /**
   * Returns half messages like {@link #halfMessages(MessageIntake, Handover)}, with so many
   * transactions at a time.
   */
  JdbcHalfMessages halfMessages(MessageIntake intake, Handover handover, int sessions) {
    require(SchemaFeature.HALF, TableDialect.OF_HALF);
    return new JdbcHalfMessages(database, intake, handover, HalfListener.NONE, sessions);
  }

  /**
   * The list of half messages in this database whose producers are to be asked, for {@link
   * io.angarium.half.check.CheckBackLoop}; the caller closes it. Keeps no connection yet.
   */
  public JdbcCheckStore checkStore() {
    require(SchemaFeature.HALF, TableDialect.OF_CHECKS);
    return new JdbcCheckStore(database);
  }

  /**
   * Where persons look after the half messages of this database.
   *
   * @param handover the relay of this process, or {@link Handover#NONE}
   */
  public JdbcHalfMessageDesk halfMessageDesk(Handover handover) {
    return halfMessageDesk(handover, HalfListener.NONE);
  }

  /**
   * Returns the desk like {@link #halfMessageDesk(Handover)}, and notifies a listener.
   *
   * @param listener hears what persons do; must not throw, see {@link HalfListener#all}
   */
  public JdbcHalfMessageDesk halfMessageDesk(Handover handover, HalfListener listener) {
    features.require(SchemaFeature.HALF);
    return new JdbcHalfMessageDesk(database, handover, listener);
  }

  /**
   * What persons see of the messages of this database. Takes no connection yet, and creates no
   * tables: stages whose tables are missing are empty.
   */
  public MessageBrowser browser() {
    return new JdbcMessageBrowser(database, features::has);
  }

  /**
   * Where persons look after the messages of this database. Takes a connection for a moment, to
   * look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the feature {@link SchemaFeature#CONSOLE} are
   *     missing or not as expected, or the account lacks a right
   */
  public Desk desk() {
    return desk(MessageIntake.of(null));
  }

  /**
   * Returns the desk like {@link #desk()}, for an application whose messages have limits of its
   * own.
   *
   * @param intake checks what persons change, see {@link io.angarium.desk.MessageActs#correct}
   */
  public Desk desk(MessageIntake intake) {
    require(SchemaFeature.CONSOLE, TableDialect.OF_CONSOLE);
    return new JdbcDesk(database, browser(), intake);
  }

  /**
   * The pauses of this database, for {@link io.angarium.relay.Relay.Builder#pauses}. Takes a
   * connection for a moment, to look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the feature {@link SchemaFeature#CONSOLE} are
   *     missing or not as expected, or the account lacks a right
   */
  public PauseStore pauseStore() {
    require(SchemaFeature.CONSOLE, TableDialect.OF_PAUSES);
    return new JdbcPauses(database);
  }

  /**
   * The operations of this database, for {@link io.angarium.operation.OperationRunner}. Takes a
   * connection for a moment, to look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the feature {@link SchemaFeature#CONSOLE} are
   *     missing or not as expected, or the account lacks a right
   */
  public OperationStore operationStore() {
    return operations();
  }

  /** Where persons begin operations; needs the tables and rights of {@link #operationStore}. */
  public OperationDesk operationDesk() {
    return operations();
  }

  private JdbcOperations operations() {
    require(SchemaFeature.CONSOLE, TableDialect.OF_CONSOLE);
    return new JdbcOperations(database, new JdbcMessageBrowser(database, features::has));
  }

  /**
   * The alerts of this database, for {@link io.angarium.alert.AlertEngine}. Takes a connection for
   * a moment, to look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the feature {@link SchemaFeature#ALERT} are
   *     missing or not as expected, or the account lacks a right
   */
  public AlertStore alertStore() {
    require(SchemaFeature.ALERT, TableDialect.OF_ALERTS);
    return new JdbcAlerts(database);
  }

  /**
   * Where persons look after the alerts of this database; what they do is in the audit. Takes a
   * connection for a moment, to look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the features {@link SchemaFeature#ALERT} and
   *     {@link SchemaFeature#CONSOLE} are missing or not as expected, or the account lacks a right
   */
  public AlertDesk alertDesk() {
    require(SchemaFeature.CONSOLE, TableDialect.OF_CONSOLE);
    require(SchemaFeature.ALERT, TableDialect.OF_ALERTS);
    return new JdbcAlerts(database);
  }

  /**
   * Where the relay nodes of this database tell what they do. Takes a connection for a moment, to
   * look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the feature {@link SchemaFeature#BOARD} are
   *     missing or not as expected, or the account lacks a right
   */
  public NodeBoard nodeBoard() {
    require(SchemaFeature.BOARD, TableDialect.OF_BOARD);
    return new JdbcNodeBoard(database);
  }

  /**
   * Where tasks keep their reports. Takes a connection for a moment, to look at the account's
   * rights.
   *
   * @throws ConfigurationException if the table of the feature {@link SchemaFeature#REPORT} is
   *     missing or not as expected, or the account lacks a right
   */
  public ReportShelf reportShelf() {
    require(SchemaFeature.REPORT, TableDialect.OF_REPORTS);
    return new JdbcReports(database);
  }

  /**
   * Where persons look after reports of reconciliations; what they do is in the audit. Takes a
   * connection for a moment, to look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the features {@link SchemaFeature#REPORT} and
   *     {@link SchemaFeature#CONSOLE} are missing or not as expected, or the account lacks a right
   */
  public ReportDesk reportDesk() {
    require(SchemaFeature.CONSOLE, TableDialect.OF_CONSOLE);
    require(SchemaFeature.REPORT, TableDialect.OF_REPORTS);
    return new JdbcReports(database);
  }

  /** The Kafka topics that are registered for half messages. */
  public JdbcIntakeTopics intakeTopics() {
    features.require(SchemaFeature.HALF);
    return new JdbcIntakeTopics(database);
  }

  /**
   * Where persons look after unconfirmed messages; what they do is in the audit. Takes a connection
   * for a moment, to look at the account's rights.
   *
   * @throws ConfigurationException if the tables of the features {@link SchemaFeature#CONFIRMATION}
   *     and {@link SchemaFeature#CONSOLE} are missing or not as expected, or the account lacks a
   *     right
   */
  public ConfirmationDesk confirmationDesk() {
    require(SchemaFeature.CONSOLE, TableDialect.OF_CONSOLE);
    require(SchemaFeature.CONFIRMATION, TableDialect.OF_RECEIPTS);
    return new JdbcConfirmationDesk(database);
  }

  /** What knows which sent messages their consumers have processed. */
  public JdbcConfirmations confirmations() {
    return confirmations(RelayListener.NONE);
  }

  /**
   * Returns the confirmations like {@link #confirmations()}, and notifies a listener.
   *
   * @param listener hears of messages that become dead letters, as nobody confirmed them; must not
   *     throw, see {@link RelayListener#all}
   */
  public JdbcConfirmations confirmations(RelayListener listener) {
    require(SchemaFeature.CONFIRMATION, TableDialect.OF_RECEIPTS);
    return new JdbcConfirmations(database, listener);
  }

  /**
   * The messages produced for a destination, as one side of a reconciliation. What was sent is
   * among them only if a history is kept.
   *
   * @param destination in its text form
   * @throws ConfigurationException if no history is kept
   */
  public ProducedMessages produced(String destination) {
    if (!database.config().history()) {
      throw new ConfigurationException(
          List.of(
              "jdbc.history: false (expected: true, as a reconciliation of "
                  + destination
                  + " must know what was sent)"));
    }
    return new ProducedMessages(database, destination);
  }

  /** How far tasks have come that one of several nodes runs. */
  public JdbcTaskProgress taskProgress() {
    require(SchemaFeature.RECONCILIATION, TableDialect.OF_RECONCILIATION);
    return new JdbcTaskProgress(database);
  }

  private void require(SchemaFeature feature, List<TableDialect.Need> needs) {
    features.require(feature);
    PreparedFeatures.requireRights(database, feature, needs);
  }

  /** What cuts the history of sent messages and the remembered business keys. */
  public Retention retention() {
    return new Retention(database, features);
  }

  /**
   * An outbox for plain JDBC.
   *
   * @param handover the relay of this process, or {@link Handover#NONE}
   */
  public JdbcOutbox outbox(MessageIntake intake, Handover handover) {
    return new JdbcOutbox(database.dataSource(), new MessageWriter(database), intake, handover);
  }
}
