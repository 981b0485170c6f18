package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/** Errors that work swallows. */
final class Swallowed {
  private Swallowed() {}

  /** A statement that fails. */
  static void error(Connection connection) {
    assertThatThrownBy(() -> Sql.of("INSERT INTO nowhere VALUES (1)").run(connection))
        .isInstanceOf(SQLException.class);
  }
}
