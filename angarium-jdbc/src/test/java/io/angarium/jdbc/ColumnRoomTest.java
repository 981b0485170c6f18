package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * What fits into the outbox fits into the tables that its rows are moved to. Where one is shorter,
 * a message that was sent cannot be noted, or one that failed not be parked, and all others wait
 * for it.
 */
@OnOneJdk
final class ColumnRoomTest {
  private static final String COMPARED =
      """
      SELECT COUNT(*)
      FROM INFORMATION_SCHEMA.COLUMNS AS o
        JOIN INFORMATION_SCHEMA.COLUMNS AS t
          ON t.TABLE_SCHEMA = o.TABLE_SCHEMA AND t.COLUMN_NAME = o.COLUMN_NAME
      WHERE o.TABLE_SCHEMA = DATABASE()
        AND o.TABLE_NAME = 'outbox'
        AND t.TABLE_NAME IN (
          'outbox_delayed', 'outbox_parked', 'outbox_dead', 'outbox_sent', 'outbox_unconfirmed',
          'outbox_discarded')
      """;

  private static final String SHORTER =
      COMPARED + "  AND t.CHARACTER_MAXIMUM_LENGTH < o.CHARACTER_MAXIMUM_LENGTH\n";

  @Test
  @RequiresMariaDb
  void noTextOfARowIsTooLongForWhereItGoesOnMariaDb() {
    assertNoneIsShorter(EmptyDatabase.mariaDb());
  }

  @Test
  @RequiresMySql
  void noTextOfARowIsTooLongForWhereItGoesOnMySql() {
    assertNoneIsShorter(EmptyDatabase.mySql());
  }

  private static void assertNoneIsShorter(DataSource database) {
    JdbcDatabase.open(database, EmptyDatabase.WITH_ALL_TABLES);

    assertThat(EmptyDatabase.number(database, COMPARED)).as("columns").isGreaterThan(60);
    assertThat(EmptyDatabase.number(database, SHORTER)).as("shorter ones").isZero();
  }
}
