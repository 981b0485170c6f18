package io.angarium.jdbc.internal.desk;

import io.angarium.Destination;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.Stage;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.internal.desk.stage.StageDialect;
import io.angarium.jdbc.internal.desk.stage.StagePlan;
import io.angarium.jdbc.internal.desk.stage.StageRows;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads what a key waits for. Thread-safe. */
final class KeyViewReader {
  private static final Comparator<MessageRow> BY_SEQUENCE =
      Comparator.comparingLong(row -> row.position().sequence());

  private static final List<Stage> STAGES =
      List.of(Stage.DEAD, Stage.RETRYING, Stage.HELD, Stage.WAITING);

  /** The newest of the history among which the last of a key is looked for. */
  private static final SearchBudget SENT_BUDGET =
      new SearchBudget(10_000, SearchBudget.DEFAULT.timeMax());

  private final Dialect server;
  private final StagePlan plan;
  private final StageDialect dialect;
  private final ViewDialect views;
  private final StageSearch search;
  private final boolean history;

  KeyViewReader(Dialect server, StagePlan plan, StageSearch search, boolean history) {
    this.server = server;
    this.plan = plan;
    this.dialect = new StageDialect(server);
    this.views = new ViewDialect(server);
    this.search = search;
    this.history = history;
  }

  KeyView read(Connection connection, Destination destination, String key) throws SQLException {
    Instant now = search.now(connection);
    Partitioning noted = plan.partitioning(connection);
    long keyHash = Partitioning.keyHash(destination, key);
    int partition = (noted == null ? Partitioning.DEFAULTS : noted).ofKeyHash(keyHash);
    Found found = new Found(connection, filter(destination, key));
    found.add(Stage.DEAD, dialect.deadOfKey(partition, keyHash, KeyView.ROWS_MAX + 1));
    found.add(Stage.HELD, dialect.parkedOfKey(partition, keyHash, KeyView.ROWS_MAX + 1));
    found.addWaiting();
    return new KeyView(
        destination,
        key,
        partition,
        views.owner(partition).query(connection, row -> row.getString(1)).stream()
            .map(KeyViewReader::orEmpty)
            .findFirst()
            .filter(node -> !node.isEmpty())
            .orElse(null),
        found.rows(),
        found.complete,
        history ? lastSent(connection, destination, key) : null,
        now);
  }

  private static String orEmpty(@Nullable String node) {
    return node == null ? "" : node;
  }

  private static MessageFilter filter(Destination destination, String key) {
    return new MessageFilter(
        List.of(destination.toString()),
        key,
        Set.of(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        0);
  }

  private @Nullable MessageRow lastSent(Connection connection, Destination destination, String key)
      throws SQLException {
    MessageQuery query =
        MessageQuery.newest(Stage.SENT, filter(destination, key), 1)
            .permitted(row -> row.destination().equals(destination.toString()))
            .budget(SENT_BUDGET);
    return search.search(connection, query).rows().stream().findFirst().orElse(null);
  }

  /** What was found of a key so far. */
  private final class Found {
    private final Connection connection;
    private final MessageFilter filter;
    private final String destination;
    private final List<MessageRow> rows = new ArrayList<>();
    private boolean complete = true;

    Found(Connection connection, MessageFilter filter) {
      this.connection = connection;
      this.filter = filter;
      this.destination = filter.destinations().get(0);
    }

    /** Rows of the key's hash, which several keys may share. */
    void add(Stage stage, List<Sql> statements) throws SQLException {
      for (Sql sql : statements) {
        List<MessageRow> read = new StageRows(server, stage).read(connection, sql);
        complete &= read.size() <= KeyView.ROWS_MAX;
        read.stream().filter(this::isMeant).forEach(rows::add);
      }
    }

    void addWaiting() throws SQLException {
      MessagePage page =
          search.search(
              connection,
              MessageQuery.newest(Stage.WAITING, filter, KeyView.ROWS_MAX)
                  .permitted(this::isMeant)
                  .order(Order.OLDEST));
      rows.addAll(page.rows());
      complete &= page.next() == null;
    }

    private boolean isMeant(MessageRow row) {
      return row.destination().equals(destination)
          && filter.key() != null
          && filter.key().equals(row.key());
    }

    List<MessageRow> rows() throws SQLException {
      rows.sort(BY_SEQUENCE);
      complete &= rows.size() <= KeyView.ROWS_MAX;
      List<MessageRow> first = rows.subList(0, Math.min(rows.size(), KeyView.ROWS_MAX));
      List<MessageRow> sized = new ArrayList<>();
      for (Stage stage : STAGES) {
        List<MessageRow> of = first.stream().filter(row -> row.stage() == stage).toList();
        sized.addAll(
            stage == Stage.WAITING ? of : new StageRows(server, stage).sized(connection, of));
      }
      sized.sort(BY_SEQUENCE);
      return sized;
    }
  }
}
