package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

final class H2SchemaTest {
  @Test
  void tablesOfAnotherSchemaAreFoundByItsName() {
    DataSource empty = EmptyDatabase.h2InMemory();
    EmptyDatabase.execute(empty, "CREATE SCHEMA messages");
    JdbcConfig config =
        JdbcConfig.DEFAULTS.schema("messages").tables("mail").schemaMode(SchemaMode.CREATE);

    JdbcDatabase.open(empty, config);

    assertThat(EmptyDatabase.number(empty, "SELECT COUNT(*) FROM messages.mail_parked")).isZero();
    JdbcConfig validated = config.schemaMode(SchemaMode.VALIDATE);
    try (JdbcOutboxStore store = JdbcDatabase.open(empty, validated).store()) {
      assertThat(store.lastSequence()).isZero();
      assertThat(store.read(List.of(SequenceRange.after(0, 0)), ReadLimit.rows(10)).rows())
          .isEmpty();
      assertThat(store.backlog().depth()).isZero();
    }
  }
}
