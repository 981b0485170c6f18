package io.angarium.jdbc.internal.desk;

import io.angarium.MessageId;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.desk.stage.InstalledTables;
import io.angarium.jdbc.internal.desk.stage.Place;
import io.angarium.jdbc.internal.desk.stage.StageColumns;
import io.angarium.jdbc.internal.desk.stage.StageDialect;
import io.angarium.jdbc.internal.desk.stage.StagePlan;
import io.angarium.jdbc.internal.desk.stage.StageRows;
import io.angarium.jdbc.internal.desk.stage.Strides;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds a message by its id: by an index where there is one, else in stages that are short, else
 * where the time in the id says that it was written or sent. Thread-safe.
 */
final class MessageFinder {
  /** A stage with fewer rows is read to its end. */
  private static final int SHORT_STAGE = 2_000;

  /** A message is written when it is sent, but clocks differ, and transactions may take long. */
  private static final Duration WRITTEN_BEFORE = Duration.ofSeconds(5);

  private static final Duration WRITTEN_AFTER = Duration.ofMinutes(1);
  private static final int WRITTEN_ROWS_MAX = 5_000;
  private static final int STRIDE = 500;
  private static final int PROBES_MAX = 40;

  /** Most messages are relayed at once; others when a broker has come back. */
  private static final List<Duration> SENT_WITHIN =
      List.of(Duration.ofMinutes(-1), Duration.ofMinutes(1), Duration.ofMinutes(15));

  private final Dialect server;
  private final StagePlan plan;
  private final StageDialect dialect;
  private final StageSearch search;
  private final InstalledTables tables;

  MessageFinder(Dialect server, StagePlan plan, StageSearch search, InstalledTables tables) {
    this.server = server;
    this.plan = plan;
    this.dialect = new StageDialect(server);
    this.search = search;
    this.tables = tables;
  }

  FoundMessage find(Connection connection, MessageId id, SearchDepth depth) throws SQLException {
    Instant now = search.now(connection);
    List<MessageDetails> places = new ArrayList<>();
    boolean complete = true;
    for (Stage stage : Stage.values()) {
      Looked looked = look(connection, stage, id, depth);
      MessageRow row = looked.row();
      if (row != null) {
        new StageRows(server, stage).details(connection, row).ifPresent(places::add);
      }
      complete &= row != null || looked.everywhere();
    }
    return new FoundMessage(id, places, complete, now);
  }

  /** What was found in a stage, and whether every row of it was looked at. */
  private record Looked(@Nullable MessageRow row, boolean everywhere) {}

  private Looked look(Connection connection, Stage stage, MessageId id, SearchDepth depth)
      throws SQLException {
    if (tables.findsByMessage(stage)) {
      return new Looked(latest(plan.of(connection, stage, List.of(id))), true);
    }
    MessagePage page = search.search(connection, query(stage, id, depth));
    if (!page.rows().isEmpty()) {
      return new Looked(page.rows().get(0), true);
    }
    boolean everywhere = page.next() == null && page.scanned().complete();
    boolean tellsTime = id.value().version() == 7;
    return new Looked(everywhere || !tellsTime ? null : likely(connection, stage, id), everywhere);
  }

  private static MessageQuery query(Stage stage, MessageId id, SearchDepth depth) {
    MessageFilter filter = MessageFilter.ofIds(Set.of(id));
    SearchBudget budget =
        depth == SearchDepth.ALL
            ? SearchBudget.DEFAULT
            : new SearchBudget(SHORT_STAGE, SearchBudget.DEFAULT.timeMax());
    return MessageQuery.newest(stage, filter, 1).budget(budget);
  }

  private @Nullable MessageRow likely(Connection connection, Stage stage, MessageId id)
      throws SQLException {
    return switch (stage) {
      case WAITING -> written(connection, id);
      case SENT -> sent(connection, id);
      default -> null;
    };
  }

  private static @Nullable MessageRow latest(List<MessageRow> rows) {
    return rows.stream().max(Comparator.comparing(MessageRow::at)).orElse(null);
  }

  private @Nullable MessageRow sent(Connection connection, MessageId id) throws SQLException {
    MessageRow found = null;
    for (int i = 1; i < SENT_WITHIN.size() && found == null; i++) {
      Instant from = id.time().plus(SENT_WITHIN.get(i - 1));
      Instant to = id.time().plus(SENT_WITHIN.get(i));
      found =
          latest(new StageRows(server, Stage.SENT).read(connection, dialect.sentOf(id, from, to)));
    }
    return found;
  }

  // ---- among waiting rows, whose times rise with their sequence, more or less

  private @Nullable MessageRow written(Connection connection, MessageId id) throws SQLException {
    List<Integer> partitions = plan.waitingPartitions(connection);
    long begin = begin(connection, partitions, id.time().minus(WRITTEN_BEFORE));
    Instant end = id.time().plus(WRITTEN_AFTER);
    Strides strides =
        plan.waiting(StageColumns.ALL, partitions, Order.OLDEST, Place.beforeSequence(begin));
    for (int looked = 0; looked < WRITTEN_ROWS_MAX; looked += STRIDE) {
      List<MessageRow> rows = strides.next(connection, STRIDE);
      for (MessageRow row : rows) {
        if (row.id().equals(id)) {
          return row;
        }
      }
      if (rows.size() < STRIDE || rows.get(rows.size() - 1).createdAt().isAfter(end)) {
        return null;
      }
    }
    return null;
  }

  /** A sequence before that of the first row written at a time or later, but not long before. */
  private long begin(Connection connection, @Nullable List<Integer> partitions, Instant from)
      throws SQLException {
    MessageRow lowest = first(connection, partitions, Order.OLDEST, null);
    MessageRow highest = first(connection, partitions, Order.NEWEST, null);
    if (lowest == null || highest == null) {
      return 0;
    }
    long low = lowest.position().sequence();
    long high = highest.position().sequence();
    for (int probes = 0; probes < PROBES_MAX && high - low > STRIDE; probes++) {
      long middle = low + (high - low) / 2;
      MessageRow row = first(connection, partitions, Order.OLDEST, Place.beforeSequence(middle));
      if (row != null && row.createdAt().isBefore(from)) {
        low = row.position().sequence() + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private @Nullable MessageRow first(
      Connection connection, @Nullable List<Integer> partitions, Order order, @Nullable Place after)
      throws SQLException {
    return plan.waiting(StageColumns.FEW, partitions, order, after).next(connection, 1).stream()
        .findFirst()
        .orElse(null);
  }
}
