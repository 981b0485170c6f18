package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.MARIADB)
class MariaDbServerTest extends DatabaseServerContract {
  MariaDbServerTest() {
    super(Server.MARIADB);
  }

  @Override
  void assertProduct(String version) {
    assertThat(version).contains("MariaDB");
  }

  @Override
  void assertDurable(Connection connection) throws SQLException {
    assertThat(select(connection, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo("1");
  }

  @Test
  void runsTheBinariesOfTheMavenRepository() throws SQLException {
    ServerOptions options =
        ServerOptions.standard().from(Origin.MAVEN).setting("log-bin", "binlog");
    try (DatabaseServer server = DatabaseServer.start(Server.MARIADB, options);
        Connection connection = server.freshDatabase().connect()) {
      assertThat(server.origin()).isEqualTo(Origin.MAVEN);
      assertThat(server.version()).contains("11.4.5-MariaDB");
      assertThat(select(connection, "SELECT @@log_bin")).isEqualTo("1");
    }
  }
}
