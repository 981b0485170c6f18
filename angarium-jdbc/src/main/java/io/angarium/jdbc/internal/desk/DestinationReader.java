package io.angarium.jdbc.internal.desk;

import io.angarium.desk.DestinationPage;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.desk.stage.StageColumns;
import io.angarium.jdbc.internal.desk.stage.StagePlan;
import io.angarium.jdbc.internal.desk.stage.Strides;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Counts the messages of each destination in a part of each stage. Thread-safe. */
final class DestinationReader {
  private static final List<Stage> STAGES =
      List.of(Stage.WAITING, Stage.DELAYED, Stage.RETRYING, Stage.HELD, Stage.DEAD);

  /** Held rows lie among retrying ones. */
  private static final int PASSED_OVER_MAX = DestinationPage.ROWS_MAX;

  private static final int STRIDE = 5_000;

  private final StagePlan plan;

  DestinationReader(StagePlan plan) {
    this.plan = plan;
  }

  DestinationPage read(Connection connection, Instant now, Collection<List<String>> transports)
      throws SQLException {
    DestinationTally counts = new DestinationTally();
    boolean complete = true;
    for (Stage stage : STAGES) {
      complete &= count(connection, stage, now, counts);
    }
    return new DestinationPage(counts.views(transports), complete, now);
  }

  /** Returns whether these are all of the stage. */
  private boolean count(Connection connection, Stage stage, Instant now, DestinationTally counts)
      throws SQLException {
    Order order = stage == Stage.WAITING ? Order.OLDEST : Order.NEWEST;
    Strides strides =
        plan.strides(connection, stage, StageColumns.FEW, MessageFilter.ALL, order, null, now);
    int counted = 0;
    int others = 0;
    while (others < PASSED_OVER_MAX) {
      int max = Math.min(STRIDE, DestinationPage.ROWS_MAX + 1 - counted);
      List<MessageRow> rows = strides.next(connection, max);
      for (MessageRow row : rows) {
        if (row.stage() != stage) {
          others++;
        } else if (counted == DestinationPage.ROWS_MAX) {
          return false;
        } else {
          counts.add(row);
          counted++;
        }
      }
      if (rows.size() < max) {
        return true;
      }
    }
    return false;
  }
}
