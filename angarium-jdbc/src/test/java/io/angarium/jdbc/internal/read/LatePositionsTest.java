package io.angarium.jdbc.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.LateRows;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.sql.Connection;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

class LatePositionsTest {
  private static final int KNOWN = 2_500;

  @Test
  void rowBehindMoreKnownOnesThanAStatementTellsOfIsFound() throws Exception {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:late-positions;DB_CLOSE_DELAY=-1");
    JdbcConfig create = JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);
    try (JdbcOutboxStore store = JdbcDatabase.open(dataSource, create).store();
        Connection connection = dataSource.getConnection()) {
      Sql.of(
              "INSERT INTO outbox (partition_no, message_id, destination, message_key, payload)"
                  + " SELECT 1, RANDOM_UUID(), 'fake:orders', 'k', X'00' FROM SYSTEM_RANGE(0, ?)",
              KNOWN)
          .run(connection);

      LateRows late =
          store.readLate(
              List.of(SequenceRange.after(1, 0)),
              null,
              ReadLimit.rows(1),
              position -> position.sequence() <= KNOWN);

      assertThat(late.rows())
          .singleElement()
          .satisfies(row -> assertThat(row.position().sequence()).isEqualTo(KNOWN + 1));
      assertThat(late.complete()).isTrue();
    }
  }
}
