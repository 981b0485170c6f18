package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.POSTGRESQL)
class PostgresServerTest extends DatabaseServerContract {
  PostgresServerTest() {
    super(Server.POSTGRESQL);
  }

  @Override
  void assertProduct(String version) {
    assertThat(version).startsWith("PostgreSQL ");
  }

  @Override
  void assertDurable(Connection connection) throws SQLException {
    assertThat(select(connection, "SHOW fsync")).isEqualTo("on");
    assertThat(select(connection, "SHOW full_page_writes")).isEqualTo("on");
    assertThat(select(connection, "SHOW synchronous_commit")).isEqualTo("on");
  }

  @Test
  void runsTheBinariesOfTheMavenRepository() throws SQLException {
    ServerOptions options =
        ServerOptions.standard().from(Origin.MAVEN).setting("wal_level", "logical");
    try (DatabaseServer server = DatabaseServer.start(Server.POSTGRESQL, options);
        Connection connection = server.freshDatabase().connect()) {
      assertThat(server.origin()).isEqualTo(Origin.MAVEN);
      assertThat(server.version()).startsWith("18.");
      assertThat(select(connection, "SHOW wal_level")).isEqualTo("logical");
      assertThat(select(connection, "SHOW synchronous_commit")).isEqualTo("on");
    }
  }
}
