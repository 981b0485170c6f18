package io.angarium.benchmarks.raw;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.Outgoing;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The business alone: the transaction as it would be without any messages. */
public final class BusinessArm implements Arm {
  private final HikariDataSource dataSource;

  private BusinessArm(ArmSettings settings) throws SQLException {
    this.dataSource = settings.pool(10);
    try (Connection connection = dataSource.getConnection()) {
      BusinessTable.create(connection);
    }
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(BusinessArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      BusinessTable.insert(connection, businessId);
      connection.commit();
    }
  }

  @Override
  public void start() {}

  @Override
  public void stop() {}

  @Override
  public long sent() {
    return 0;
  }

  @Override
  public long left() {
    return 0;
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
