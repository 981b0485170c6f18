package io.angarium.jdbc.internal.desk.stage;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.MessageId;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.desk.stage.KeysetStrides.Bound;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how the rows of a stage are read, so that little is read that a filter leaves out.
 * Thread-safe.
 */
public final class StagePlan {
  /** How much clocks of applications and the database may differ. */
  private static final Duration CLOCKS_DIFFER_MAX = Duration.ofHours(1);

  private final Dialect server;
  private final StageDialect dialect;
  private final InstalledTables tables;

  public StagePlan(Dialect server, InstalledTables tables) {
    this.server = server;
    this.dialect = new StageDialect(server);
    this.tables = tables;
  }

  /**
   * Strides of the rows behind a place.
   *
   * @param after null begins
   * @param now the database's clock
   */
  public Strides strides(
      Connection connection,
      Stage stage,
      StageColumns width,
      MessageFilter filter,
      Order order,
      @Nullable Place after,
      Instant now)
      throws SQLException {
    if (!tables.has(stage)) {
      return new GivenStrides(List.of(), Place.comparator(stage, order), after);
    }
    if (!filter.ids().isEmpty() && tables.findsByMessage(stage)) {
      return new GivenStrides(
          of(connection, stage, filter.ids()), Place.comparator(stage, order), after);
    }
    return switch (stage) {
      case WAITING -> {
        Integer only = partition(connection, filter);
        List<Integer> partitions = only == null ? waitingPartitions(connection) : List.of(only);
        yield waiting(width, partitions, order, after);
      }
      case RETRYING, HELD ->
          parked(connection, stage, width, partition(connection, filter), order, after);
      case DELAYED, DEAD, SENT, UNCONFIRMED, DISCARDED ->
          byTime(connection, stage, width, filter, order, after, now);
    };
  }

  /** The rows of these ids, in a stage that {@link InstalledTables#findsByMessage}. */
  public List<MessageRow> of(Connection connection, Stage stage, Iterable<MessageId> ids)
      throws SQLException {
    List<MessageId> wanted = new ArrayList<>();
    ids.forEach(wanted::add);
    return rows(stage).read(connection, dialect.of(stage, wanted)).stream()
        .filter(row -> row.stage() == stage)
        .toList();
  }

  // ---- by time

  private Strides byTime(
      Connection connection,
      Stage stage,
      StageColumns width,
      MessageFilter filter,
      Order order,
      @Nullable Place after,
      Instant now)
      throws SQLException {
    Instant from = from(stage, filter);
    Instant to = filter.to() == null ? Place.LATEST : filter.to().truncatedTo(ChronoUnit.MICROS);
    if (stage == Stage.SENT && dialect.readsHistoryByWindows()) {
      return new WindowStrides(rows(stage), dialect, width, order, from, to, after, now);
    }
    boolean sinceIndex = stage == Stage.DEAD && tables.ordersDead(connection);
    Place begin = after == null ? Place.before(order) : after;
    Bound bound =
        stage == Stage.UNCONFIRMED
            ? new Bound(dialect.manyUnconfirmed(), StageDialect.UNCONFIRMED_MAX)
            : null;
    return new KeysetStrides(
        rows(stage),
        begin,
        (place, limit) ->
            dialect.byTime(stage, width, Span.beyond(order, from, to, place), limit, sinceIndex),
        bound);
  }

  /** Nothing was sent before its id was made, which tells when that was. */
  private static Instant from(Stage stage, MessageFilter filter) {
    Instant from = filter.from() == null ? Place.EARLIEST : ceiling(filter.from());
    if (stage != Stage.SENT || filter.ids().stream().anyMatch(id -> id.value().version() != 7)) {
      return from;
    }
    return filter.ids().stream()
        .map(MessageId::time)
        .min(Comparator.naturalOrder())
        .map(first -> Span.later(from, first.minus(CLOCKS_DIFFER_MAX)))
        .orElse(from);
  }

  private static Instant ceiling(Instant at) {
    Instant floor = at.truncatedTo(ChronoUnit.MICROS);
    return floor.equals(at) ? at : floor.plus(1, ChronoUnit.MICROS);
  }

  // ---- by sequence

  /** The partitions that have waiting rows; null where they are read by sequence. */
  public @Nullable List<Integer> waitingPartitions(Connection connection) throws SQLException {
    return dialect.readsWaitingBySequence() ? null : partitions(connection, Stage.WAITING);
  }

  /**
   * Strides of waiting rows.
   *
   * @param partitions those that are read; null for all, where they are read by sequence
   */
  public Strides waiting(
      StageColumns width, @Nullable List<Integer> partitions, Order order, @Nullable Place after) {
    return partitions == null
        ? new KeysetStrides(
            rows(Stage.WAITING),
            after == null ? Place.before(order) : after,
            (place, limit) -> dialect.waiting(width, order, place, limit),
            null)
        : merged(Stage.WAITING, width, partitions, order, after);
  }

  private Strides parked(
      Connection connection,
      Stage stage,
      StageColumns width,
      @Nullable Integer partition,
      Order order,
      @Nullable Place after)
      throws SQLException {
    if (partition == null && stage == Stage.RETRYING && retryFew(connection)) {
      return new KeysetStrides(
          rows(stage),
          after == null ? Place.before(order) : after,
          (place, limit) -> dialect.retrying(width, order, place, limit),
          null);
    }
    List<Integer> partitions =
        partition == null ? partitions(connection, stage) : List.of(partition);
    return merged(stage, width, partitions, order, after);
  }

  private boolean retryFew(Connection connection) throws SQLException {
    return dialect.manyRetrying().query(connection, row -> row.getInt(1)).get(0)
        <= StageDialect.RETRYING_MAX;
  }

  private Strides merged(
      Stage stage,
      StageColumns width,
      List<Integer> partitions,
      Order order,
      @Nullable Place after) {
    return new MergedStrides(
        rows(stage),
        order,
        Place.comparator(stage, order),
        partitions,
        after,
        (lanes, limit) -> dialect.lanes(stage, width, order, lanes, limit));
  }

  private List<Integer> partitions(Connection connection, Stage stage) throws SQLException {
    return dialect.partitions(stage).query(connection, row -> row.getInt(1));
  }

  /** The only partition that can have what a filter means; null if there can be several. */
  private @Nullable Integer partition(Connection connection, MessageFilter filter)
      throws SQLException {
    String key = filter.key();
    if (key == null || filter.destinations().size() != 1) {
      return null;
    }
    String text = filter.destinations().get(0);
    if (text.contains("*")) {
      return null;
    }
    Partitioning partitioning = partitioning(connection);
    if (partitioning == null) {
      return null;
    }
    try {
      return partitioning.ofKeyHash(Partitioning.keyHash(Destination.parse(text), key));
    } catch (InvalidMessageException e) {
      return null; // written past the API, if at all
    }
  }

  /** How messages are spread over partitions; null if no relay has noted it yet. */
  public @Nullable Partitioning partitioning(Connection connection) throws SQLException {
    Sql sql = server.leases().partitioning();
    return sql.query(connection, row -> new int[] {row.getInt(1), row.getInt(2)}).stream()
        .filter(numbers -> numbers[0] > 0 && numbers[1] > 0)
        .map(numbers -> new Partitioning(numbers[0], numbers[1]))
        .findFirst()
        .orElse(null);
  }

  StageRows rows(Stage stage) {
    return new StageRows(server, stage);
  }
}
