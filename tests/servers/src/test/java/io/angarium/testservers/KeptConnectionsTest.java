package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.POSTGRESQL)
final class KeptConnectionsTest {
  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  @Test
  void theNextUserGetsTheSessionWithoutWhatTheLastOneLeft() throws SQLException {
    String pid;
    try (Connection first = database.connectAgain()) {
      pid = ask(first, "SELECT pg_backend_pid()");
      ask(first, "SELECT set_config('lock_timeout', '7s', false)");
      first.setReadOnly(true);
      first.setAutoCommit(false);
      first.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      ask(first, "SELECT set_config('work_mem', '5MB', false)");
    }

    try (Connection next = database.connectAgain()) {
      assertThat(ask(next, "SELECT pg_backend_pid()")).isEqualTo(pid);
      assertThat(ask(next, "SHOW lock_timeout")).isEqualTo("0");
      assertThat(ask(next, "SHOW work_mem")).isEqualTo("4MB");
      assertThat(ask(next, "SHOW transaction_read_only")).isEqualTo("off");
      assertThat(ask(next, "SHOW transaction_isolation")).isEqualTo("read committed");
      assertThat(next.getAutoCommit()).isTrue();
    }
  }

  @Test
  void aSessionThatWasKilledIsNotHandedOut() throws SQLException {
    String pid;
    try (Connection first = database.connectAgain()) {
      pid = ask(first, "SELECT pg_backend_pid()");
    }
    try (Connection other = database.connect()) {
      ask(other, "SELECT pg_terminate_backend(%s, 60000)".formatted(pid));
    }

    try (Connection next = database.connectAgain()) {
      assertThat(ask(next, "SELECT pg_backend_pid()")).isNotEqualTo(pid);
    }
  }

  @Test
  void aConnectionThatWasGivenBackTouchesTheSessionNoMore() throws SQLException {
    Connection first = database.connectAgain();
    first.close();
    try (Connection next = database.connectAgain()) {
      first.close();
      first.abort(Runnable::run);

      assertThat(first.isClosed()).isTrue();
      assertThatThrownBy(first::createStatement).isInstanceOf(SQLException.class);
      assertThat(ask(next, "SELECT 1")).isEqualTo("1");
    }
  }

  private static String ask(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }
}
