package io.angarium.jdbc.internal.board;

import static java.util.Comparator.comparingLong;

import io.angarium.board.BoardView;
import io.angarium.board.DelayBuckets;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.MinuteQuery;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.board.ToldStatus;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node board of one database. Takes a connection for each call. Thread-safe. */
public final class JdbcNodeBoard implements NodeBoard {
  /** Minutes that one transaction forgets: some thousand rows with many nodes. */
  private static final int MINUTES_AT_ONCE = 10;

  private static final Logger LOG = LoggerFactory.getLogger(JdbcNodeBoard.class);

  private final OpenDatabase database;
  private final Dialect server;
  private final BoardDialect dialect;

  public JdbcNodeBoard(OpenDatabase database) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new BoardDialect(server);
  }

  /** No other process writes rows of this incarnation, so none is added meanwhile. */
  @Override
  public void tell(NodeStatus status) {
    transaction(
        "telling what a node does",
        connection -> {
          int changed = dialect.change(status).update(connection);
          return changed == 0 ? dialect.add(status).update(connection) : changed;
        });
  }

  @Override
  public void tellMinute(UUID incarnation, List<MinuteOfDestination> minutes) {
    if (minutes.isEmpty()) {
      return;
    }
    Instant minute = minutes.get(0).minute();
    transaction(
        "telling what a node did within a minute",
        connection -> {
          dialect.deleteMinute(minute, incarnation).update(connection);
          return dialect.addMinute(incarnation, minutes).update(connection);
        });
  }

  private record Row(Instant toldAt, String json, Instant now) {}

  @Override
  public BoardView nodes() {
    return read(
        "reading what nodes do",
        connection -> {
          List<Row> rows =
              dialect
                  .nodes()
                  .query(
                      connection,
                      row ->
                          new Row(
                              server.instant(row, 1), row.getString(2), server.instant(row, 3)));
          Instant now =
              rows.isEmpty()
                  ? dialect.now().query(connection, row -> server.instant(row, 1)).get(0)
                  : rows.get(0).now();
          List<ToldStatus> nodes =
              rows.stream().map(JdbcNodeBoard::status).flatMap(Optional::stream).toList();
          return new BoardView(nodes, now);
        });
  }

  private static Optional<ToldStatus> status(Row row) {
    try {
      return Optional.of(new ToldStatus(NodeStatus.parse(row.json()), row.toldAt()));
    } catch (IllegalArgumentException e) { // somebody else wrote it
      LOG.debug("The status of a node is left out, as it cannot be read", e);
      return Optional.empty();
    }
  }

  @Override
  public SortedMap<Instant, Throughput> minutes(MinuteQuery query) {
    SortedMap<Instant, Throughput> points = new TreeMap<>();
    read(
        "reading what nodes did",
        connection ->
            dialect
                .minutes(query)
                .query(
                    connection,
                    row -> points.put(BoardDialect.minute(row.getLong(1)), throughput(row))));
    return points;
  }

  private record OfDestination(String destination, Throughput counts) {}

  @Override
  public Map<String, Throughput> destinations(Instant from, Instant to) {
    List<OfDestination> read =
        read(
            "reading what destinations took",
            connection ->
                dialect
                    .destinations(from, to)
                    .query(
                        connection, row -> new OfDestination(row.getString(1), throughput(row))));
    Map<String, Throughput> most = new LinkedHashMap<>();
    read.stream()
        .sorted(
            comparingLong((OfDestination each) -> each.counts().total())
                .reversed()
                .thenComparing(OfDestination::destination))
        .forEach(each -> most.put(each.destination(), each.counts()));
    return most;
  }

  private static Throughput throughput(ResultSet row) throws SQLException {
    int column = 2;
    long failed = row.getLong(column++);
    long refused = row.getLong(column++);
    long unavailable = row.getLong(column++);
    long dead = row.getLong(column++);
    long[] delays = new long[DelayBuckets.COUNT];
    for (int i = 0; i < delays.length; i++) {
      delays[i] = row.getLong(column++);
    }
    return new Throughput(failed, refused, unavailable, dead, DelayBuckets.of(delays));
  }

  // ---- retention

  /**
   * Deletes old minutes, a few at once.
   *
   * @param progress runs before each transaction
   * @return how many rows
   */
  public long forgetMinutes(Duration age, Runnable progress) {
    Instant now =
        read(
            "asking for the time",
            connection -> dialect.now().query(connection, row -> server.instant(row, 1)).get(0));
    long end = BoardDialect.number(now.minus(age));
    long first =
        read(
            "looking for old minutes",
            connection ->
                dialect
                    .firstMinute()
                    .query(connection, row -> row.getObject(1) == null ? end : row.getLong(1))
                    .get(0));
    long deleted = 0;
    for (long from = first; from < end; from += MINUTES_AT_ONCE) {
      progress.run();
      long before = Math.min(end, from + MINUTES_AT_ONCE);
      deleted +=
          transaction(
              "forgetting old minutes",
              connection -> dialect.forgetMinutes(before).update(connection));
    }
    return deleted;
  }

  /** Deletes statuses of nodes that are gone; returns how many. */
  public long forgetStatuses(Duration age) {
    return transaction(
        "forgetting nodes that are gone",
        connection -> dialect.forgetStatuses(age).update(connection));
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
