package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.store.ReadLimit;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** MySQL's driver calls MariaDB MySQL. */
@RequiresMariaDb
final class OtherDriverTest {
  @Test
  void mariaDbIsRecognisedThroughTheDriverOfMySql() throws SQLException {
    TestDatabase database = SharedServers.mariaDb().freshDatabase();
    String url = database.url().replace("jdbc:mariadb:", "jdbc:mysql:");
    DataSource throughMySql =
        new ConnectionSource(
            () -> DriverManager.getConnection(url, database.user(), database.password()));
    try (MySqlScene scene = new MySqlScene(throughMySql)) {
      List<StoredMessage> written = scene.write(3);
      List<StoredMessage> read =
          scene.store.read(PostgresScene.everythingAfter(0), ReadLimit.rows(10)).rows();
      scene.store.delete(read.stream().map(StoredMessage::position).toList());

      assertThat(scene.database.product()).isEqualTo("MariaDB");
      assertThat(read)
          .extracting(StoredMessage::position)
          .containsExactlyElementsOf(written.stream().map(StoredMessage::position).toList());
      assertThat(read)
          .extracting(StoredMessage::createdAt)
          .containsExactlyElementsOf(written.stream().map(StoredMessage::createdAt).toList());
      assertThat(scene.store.read(PostgresScene.everythingAfter(0), ReadLimit.rows(10)).rows())
          .isEmpty();
    }
  }
}
