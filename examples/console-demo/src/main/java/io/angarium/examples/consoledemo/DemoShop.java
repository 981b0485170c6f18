package io.angarium.examples.consoledemo;

import io.angarium.TimeSource;
import io.angarium.alert.AlertDesk;
import io.angarium.board.NodeBoard;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.console.OperatorConsole;
import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.access.TicketAccess;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.desk.Desk;
import io.angarium.examples.consoledemo.scene.BrokerAnswers;
import io.angarium.examples.consoledemo.scene.HalfTroubles;
import io.angarium.examples.consoledemo.scene.LostParcels;
import io.angarium.examples.consoledemo.scene.OrdinaryTrade;
import io.angarium.examples.consoledemo.scene.PastHour;
import io.angarium.examples.consoledemo.scene.ShopAlerts;
import io.angarium.examples.consoledemo.scene.ShopNode;
import io.angarium.examples.consoledemo.scene.ShopTroubles;
import io.angarium.examples.consoledemo.scene.SwitchedRetries;
import io.angarium.examples.consoledemo.web.ConsoleServer;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.RetentionConfig;
import io.angarium.jdbc.RetentionRounds;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A shop in one process: a database in memory, two relay nodes, a trade that goes on, and the
 * console that watches all of it. Thread-safe.
 */
public final class DemoShop implements AutoCloseable {
  private static final int CONNECTIONS_MAX = 40;
  private static final Duration HISTORY_KEPT = Duration.ofHours(2);
  private static final Duration CONFIRMED_WITHIN = Duration.ofHours(1);
  private static final int SENDS_MAX = 5;
  private static final InboxConfig INBOX = InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
  private static final String VERSION = "0.2.0";

  private final ConsoleServer server;
  private final TicketAccess tickets;
  private final ShopTroubles troubles;
  private final ShopAlerts alerts;
  private final LostParcels parcels;
  private final Desk desk;
  private final Deque<AutoCloseable> parts;

  private DemoShop(
      ConsoleServer server,
      TicketAccess tickets,
      ShopTroubles troubles,
      ShopAlerts alerts,
      LostParcels parcels,
      Desk desk,
      Deque<AutoCloseable> parts) {
    this.server = server;
    this.tickets = tickets;
    this.troubles = troubles;
    this.alerts = alerts;
    this.parcels = parcels;
    this.desk = desk;
    this.parts = parts;
  }

  /**
   * Starts everything but the troubles.
   *
   * @param port of the console; the next free one if it is taken, 0 for any
   * @param more ways into the console besides its tickets
   */
  public static DemoShop start(int port, List<ConsoleAccess> more) {
    return start(port, more, TimeSource.SYSTEM);
  }

  /**
   * Starts it like {@link #start(int, List)}.
   *
   * @param sessions the clock of sessions and sign-ins
   */
  static DemoShop start(int port, List<ConsoleAccess> more, TimeSource sessions) {
    TimeSource time = TimeSource.SYSTEM;
    Deque<AutoCloseable> parts = new ArrayDeque<>();
    JdbcConnectionPool pool =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:console-demo-" + time.nanoTime() + ";DB_CLOSE_DELAY=-1", "sa", "");
    pool.setMaxConnections(CONNECTIONS_MAX);
    parts.push(() -> end(pool));
    JdbcDatabase database = JdbcDatabase.open(pool, config());
    Desk desk = database.desk();
    SwitchedRetries retries = new SwitchedRetries();
    BrokerAnswers answers = new BrokerAnswers();
    NodeBoard board = database.nodeBoard();
    ShopNode.start(database, board, "shop-5a", answers, retries).close(); // it has stopped
    ShopNode first = ShopNode.start(database, board, "shop-7f", answers, retries);
    parts.push(first);
    parts.push(ShopNode.start(database, board, "shop-9c", answers, retries));
    PastHour.tell(board, time.instant());
    MessageIntake intake = MessageIntake.of("shop");
    JdbcOutbox outbox = database.outbox(intake, first.handover());
    HalfTroubles undecided = HalfTroubles.start(database, intake, first.handover());
    parts.push(undecided);
    parts.push(OrdinaryTrade.start(outbox));
    parts.push(
        RetentionRounds.start(database.retention(), RetentionConfig.DEFAULTS.sent(HISTORY_KEPT)));
    TicketAccess tickets = new TicketAccess(sessions);
    List<ConsoleAccess> ways = new ArrayList<>(more);
    ways.add(tickets);
    HalfMessageDesk halves = database.halfMessageDesk(first.handover());
    ShopAlerts alerts = ShopAlerts.of(database, board, first, halves, time);
    parts.push(alerts);
    ConsoleDatabase shown =
        new ConsoleDatabase(
                ConsoleDatabase.DEFAULT,
                database.product(),
                true,
                desk,
                halves,
                List.of("half", "confirmation"),
                alerts,
                board)
            .operations(database.operationDesk())
            .confirmations(database.confirmationDesk())
            .reports(database.reportDesk())
            .trial(undecided.trial());
    ConsoleServer server =
        ConsoleServer.start(new OperatorConsole(settings(), List.of(shown), ways, sessions), port);
    parts.push(server);
    LostParcels parcels = new LostParcels(database, JdbcInbox.open(pool, INBOX), outbox, time);
    return new DemoShop(
        server,
        tickets,
        new ShopTroubles(outbox, desk, database.operationDesk(), retries, time),
        alerts,
        parcels,
        desk,
        parts);
  }

  private static JdbcConfig config() {
    return JdbcConfig.DEFAULTS
        .schemaMode(SchemaMode.CREATE)
        .history(true)
        .confirmation(
            ConfirmationConfig.NONE
                .destinations("kafka:shipments")
                .timeout(CONFIRMED_WITHIN, SENDS_MAX))
        .features(
            SchemaFeature.HALF,
            SchemaFeature.CONFIRMATION,
            SchemaFeature.CONSOLE,
            SchemaFeature.BOARD,
            SchemaFeature.ALERT,
            SchemaFeature.REPORT);
  }

  private static ConsoleSettings settings() {
    return new ConsoleSettings(
        VERSION,
        false,
        true,
        true,
        Set.of(),
        null,
        "https://traces.example.com/trace/{traceId}",
        "https://logs.example.com/search?q={messageId}");
  }

  /** Makes the troubles. Blocks for some seconds, until they are there. */
  public void makeTroubles() {
    troubles.make();
    parcels.make();
    alerts.begin();
  }

  /** The address of the console. */
  public String address() {
    return server.address();
  }

  /** A link that lets its first visitor in; the ones before end. */
  public String link() {
    return address() + "?ticket=" + tickets.issue();
  }

  /** What the console shows, for tests. */
  Desk desk() {
    return desk;
  }

  /** The alerts that the console shows, for tests. */
  AlertDesk alerts() {
    return alerts.desk();
  }

  /** The number of the report that names the lost parcels, for tests. */
  String reportOfParcels() {
    return Long.toString(parcels.report());
  }

  private static void end(JdbcConnectionPool pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        // the others end all the same, and the process with them
        System.err.println("A part of the demo did not end in good order: " + e);
      }
    }
  }
}
