package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

@OnOneJdk
@RequiresMariaDb
final class MariaDbPlanTest implements MySqlPlans {
  private final DataSource database = EmptyDatabase.mariaDb();

  @Override
  public DataSource database() {
    return database;
  }

  @Test
  void plainDeleteOfExactIdsWouldScanTheWholeTable() throws SQLException {
    try (MySqlScene scene = new MySqlScene(database)) {
      EmptyDatabase.execute(database, "ANALYZE TABLE outbox");
      List<StoredMessage> rows = scene.write(5_000);
      String ids =
          rows.subList(1_000, 1_900).stream()
              .map(row -> Long.toString(row.position().sequence()))
              .collect(Collectors.joining(", "));
      try (Connection relay = scene.relayConnection()) {
        assertThat(MySqlPlans.steps(relay, Sql.of("DELETE FROM outbox WHERE id IN (" + ids + ")")))
            .containsExactly(new Step("SIMPLE", "outbox", "ALL"));
      }
    }
  }
}
