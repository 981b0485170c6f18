package io.angarium.jdbc.internal.desk;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DueBucket;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Overview;
import io.angarium.desk.RelayView;
import io.angarium.desk.SearchDepth;
import io.angarium.jdbc.internal.desk.stage.InstalledTables;
import io.angarium.jdbc.internal.desk.stage.PlaceCursor;
import io.angarium.jdbc.internal.desk.stage.PlaceDialect;
import io.angarium.jdbc.internal.desk.stage.StagePlan;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.settings.SchemaFeature;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What persons see of the messages of one database. Takes a connection for each call, and reads
 * only, without locks. Thread-safe.
 */
public final class JdbcMessageBrowser implements MessageBrowser {
  private final OpenDatabase database;
  private final InstalledTables tables;
  private final ViewDialect views;
  private final PlaceDialect places;
  private final StageSearch search;
  private final MessageFinder finder;
  private final KeyViewReader keys;
  private final OverviewReader overviews;
  private final RelayReader relays;
  private final DestinationReader destinations;

  /**
   * Takes no connection yet.
   *
   * @param features tells whether a feature has tables
   */
  public JdbcMessageBrowser(OpenDatabase database, Predicate<SchemaFeature> features) {
    this.database = database;
    Dialect server = database.dialect();
    boolean history = database.config().history();
    this.tables = new InstalledTables(server, database.time(), features);
    StagePlan plan = new StagePlan(server, tables);
    this.views = new ViewDialect(server);
    this.places = new PlaceDialect(server);
    this.search = new StageSearch(server, plan, database.time()::nanoTime);
    this.finder = new MessageFinder(server, plan, search, tables);
    this.keys = new KeyViewReader(server, plan, search, history);
    this.overviews = new OverviewReader(server, tables, history);
    this.relays = new RelayReader(server);
    this.destinations = new DestinationReader(plan);
  }

  @Override
  public Overview overview(int countMax) {
    int checked = Overview.requireCountMax(countMax);
    tables.ask();
    return read("counting messages", connection -> overviews.read(connection, checked));
  }

  @Override
  public MessagePage search(MessageQuery query) {
    PlaceCursor.read(query.stage(), query.order(), query.cursor());
    tables.ask();
    return read("searching messages", connection -> search.search(connection, query));
  }

  /** Finds out which tables are there, before a search in a transaction. May take a connection. */
  public void askForTables() {
    tables.ask();
  }

  /** Searches in the caller's transaction, after {@link #askForTables}. */
  public MessagePage search(Connection connection, MessageQuery query) throws SQLException {
    return search.search(connection, query);
  }

  @Override
  public FoundMessage find(MessageId id, SearchDepth depth) {
    tables.ask();
    return read("finding a message", connection -> finder.find(connection, id, depth));
  }

  @Override
  public Optional<byte[]> payload(MessageRow row, long from, int bytesMax) {
    if (from < 0) {
      throw new IllegalArgumentException("from: " + from + " (expected: 0 or more)");
    }
    if (bytesMax < 1 || bytesMax > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "bytesMax: " + bytesMax + " (expected: 1.." + PAYLOAD_BYTES_MAX + ")");
    }
    tables.ask();
    if (!tables.has(row.stage())) {
      return Optional.empty();
    }
    return read(
        "reading a payload",
        connection ->
            places.payload(row, from, bytesMax).query(connection, read -> read.getBytes(1)).stream()
                .findFirst());
  }

  @Override
  public KeyView key(Destination destination, String key) {
    return read("reading a key", connection -> keys.read(connection, destination, key));
  }

  @Override
  public DestinationPage destinations() {
    tables.ask();
    return read(
        "counting messages by destination",
        connection ->
            destinations.read(
                connection, search.now(connection), relays.transports(connection).values()));
  }

  @Override
  public RelayView relay() {
    return read("reading nodes and partitions", relays::read);
  }

  @Override
  public RelayView members() {
    return read("reading nodes and who relays what", relays::members);
  }

  @Override
  public List<DueBucket> calendar(Instant from, Instant to, Duration step) {
    DueCalendar calendar = new DueCalendar(from, to, step);
    return read("counting delayed messages", connection -> calendar.read(connection, views));
  }

  private <T> T read(String what, Session.Work<T> work) {
    try (Session session = database.session(SessionRole.READ)) {
      return session.call(what, work);
    }
  }
}
