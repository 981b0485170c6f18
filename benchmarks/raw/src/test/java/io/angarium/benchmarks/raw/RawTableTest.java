package io.angarium.benchmarks.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

@RequiresServer(Server.POSTGRESQL)
class RawTableTest {
  private static final RawTable TABLE = RawTable.POSTGRESQL;
  private final TestDatabase database = SharedServers.postgres().freshDatabase();

  @Test
  void rowsThatHaveMovedAreDeletedAndNoOthers() throws SQLException {
    try (Connection connection = connect()) {
      TABLE.create(connection);
      List<RawRow> rows = TABLE.insertReturning(connection, messages(4));
      TABLE.delete(connection, rows.subList(0, 1));
      connection.createStatement().execute("VACUUM FULL raw_outbox"); // all move up by one place

      TABLE.delete(connection, rows.subList(1, 3));

      assertThat(left(connection)).containsExactly(rows.get(3).id());
    }
  }

  @Test
  void rowsLieWhereTheInsertSaid() throws SQLException {
    try (Connection connection = connect()) {
      TABLE.create(connection);

      List<RawRow> inserted = TABLE.insertReturning(connection, messages(3));

      List<RawRow> read = RawTable.rows(TABLE.select(connection, "true ORDER BY id"));
      assertThat(inserted).usingRecursiveFieldByFieldElementComparator().isEqualTo(read);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(database.url(), database.user(), database.password());
  }

  private static List<Long> left(Connection connection) throws SQLException {
    return RawTable.rows(TABLE.select(connection, "true ORDER BY id")).stream()
        .map(RawRow::id)
        .toList();
  }

  private static List<Outgoing> messages(int count) {
    byte[] payload = "payload".getBytes(StandardCharsets.US_ASCII);
    return LongStream.range(0, count)
        .mapToObj(number -> new Outgoing(number, "key-" + number, payload, false))
        .toList();
  }
}
