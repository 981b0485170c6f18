package io.angarium.jdbc.internal.desk;

import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Scanned;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.desk.stage.Place;
import io.angarium.jdbc.internal.desk.stage.PlaceCursor;
import io.angarium.jdbc.internal.desk.stage.StageColumns;
import io.angarium.jdbc.internal.desk.stage.StagePlan;
import io.angarium.jdbc.internal.desk.stage.StageRows;
import io.angarium.jdbc.internal.desk.stage.Strides;
import io.angarium.jdbc.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches a stage: reads strides in its order and keeps what fits, until the page is full or the
 * budget is used up. Thread-safe.
 */
final class StageSearch {
  /** The most rows of a stride: a few hundred kilobytes. */
  private static final int STRIDE_MAX = 1_000;

  /** Rows of another stage of the same table do not count, but cost. */
  private static final int PASSED_OVER_MAX = 60_000;

  private final Dialect server;
  private final StagePlan plan;
  private final ViewDialect views;
  private final LongSupplier nanoTime;

  StageSearch(Dialect server, StagePlan plan, LongSupplier nanoTime) {
    this.server = server;
    this.plan = plan;
    this.views = new ViewDialect(server);
    this.nanoTime = nanoTime;
  }

  Instant now(Connection connection) throws SQLException {
    return views.now().query(connection, row -> server.instant(row, 1)).get(0);
  }

  MessagePage search(Connection connection, MessageQuery query) throws SQLException {
    Place after = PlaceCursor.read(query.stage(), query.order(), query.cursor());
    return new Run(connection, query, after, now(connection)).page();
  }

  /** The rows of one search. */
  private final class Run {
    private final Connection connection;
    private final MessageQuery query;
    private final Instant now;
    private final long startNanos = nanoTime.getAsLong();
    private final Strides strides;
    private final List<MessageRow> found = new ArrayList<>();
    private @Nullable Place last;
    private @Nullable Instant until;
    private int looked;
    private int passedOver;

    Run(Connection connection, MessageQuery query, @Nullable Place after, Instant now)
        throws SQLException {
      this.connection = connection;
      this.query = query;
      this.now = now;
      this.last = after;
      MessageFilter filter = query.filter();
      this.strides =
          plan.strides(
              connection, query.stage(), StageColumns.ALL, filter, query.order(), after, now);
    }

    MessagePage page() throws SQLException {
      do {
        int max = stride();
        List<MessageRow> rows = strides.next(connection, max);
        int taken = take(rows);
        boolean ended = taken == rows.size() && rows.size() < max;
        if (ended) {
          return page(false, !strides.leavesRowsOut(connection));
        }
        if (found.size() == query.limit()) {
          return page(true, true);
        }
      } while (looked < query.budget().rowsMax() && passedOver < PASSED_OVER_MAX && hasTime());
      return page(true, false);
    }

    private boolean hasTime() {
      return nanoTime.getAsLong() - startNanos < query.budget().timeMax().toNanos();
    }

    /** One more than a page first, which tells whether it is the last. */
    private int stride() {
      int wanted = Math.max(query.limit() + 1, 4 * looked);
      int max = Math.max(query.limit() + 1, STRIDE_MAX);
      return passedOver > 0
          ? STRIDE_MAX
          : Math.min(Math.min(wanted, max), query.budget().rowsMax() - looked);
    }

    /** Returns how many rows were taken until the page was full or the budget used up. */
    private int take(List<MessageRow> rows) {
      int taken = 0;
      for (MessageRow row : rows) {
        if (found.size() == query.limit() || looked == query.budget().rowsMax()) {
          return taken;
        }
        taken++;
        last = Place.of(row);
        if (row.stage() == query.stage()) {
          look(row);
        } else {
          passedOver++;
        }
      }
      return taken;
    }

    private void look(MessageRow row) {
      looked++;
      until = row.at();
      if (query.filter().test(row) && query.permitted().test(row)) {
        found.add(row);
      }
    }

    private MessagePage page(boolean more, boolean complete) throws SQLException {
      Stage stage = query.stage();
      List<MessageRow> sized = new StageRows(server, stage).sized(connection, found);
      String next = more && last != null ? PlaceCursor.write(stage, query.order(), last) : null;
      return new MessagePage(sized, next, new Scanned(looked, until, complete), now);
    }
  }
}
