package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What it takes by hand to insert what a message consists of, and not only what the loop reads: an
 * id of its own, its destination, its partition, and when it was written. Sends nothing.
 */
public final class ColumnsArm extends SilentArm {
  private static final String CREATE_ON_POSTGRESQL =
      """
      CREATE TABLE raw_columns (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        partition_no smallint NOT NULL, message_id uuid NOT NULL, destination text NOT NULL,
        message_key text, payload bytea NOT NULL)
      """;

  private static final String CREATE_ON_MARIADB =
      """
      CREATE TABLE raw_columns (
        id bigint AUTO_INCREMENT PRIMARY KEY,
        created_at datetime(6) NOT NULL DEFAULT current_timestamp(6),
        partition_no smallint NOT NULL, message_id binary(16) NOT NULL,
        destination varchar(512) NOT NULL, message_key varchar(512), payload longblob NOT NULL)
      """;

  private static final String INSERT =
      """
      INSERT INTO raw_columns (partition_no, message_id, destination, message_key, payload)
      VALUES (?, ?, ?, ?, ?)
      """;

  private final boolean onPostgres;

  private ColumnsArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, 10));
    this.onPostgres = settings.database() == DatabaseKind.POSTGRESQL;
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(onPostgres ? CREATE_ON_POSTGRESQL : CREATE_ON_MARIADB);
    }
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(ColumnsArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    database.transact(businessId, connection -> insert(connection, messages));
  }

  private void insert(Connection connection, List<Outgoing> messages) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (Outgoing message : messages) {
        insert.setShort(1, (short) (message.number() % 64));
        insert.setObject(2, id());
        insert.setString(3, "kafka:benchmark");
        insert.setString(4, message.key());
        insert.setBytes(5, message.payload());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private Object id() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    UUID id = new UUID(random.nextLong(), random.nextLong());
    return onPostgres
        ? id
        : ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array();
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM raw_columns");
  }
}
