package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.Outgoing;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** The business alone: the transaction as it would be without any messages. */
public final class BusinessArm implements Arm {
  private final BusinessDatabase database;

  private BusinessArm(ArmSettings settings) throws SQLException {
    this.database = BusinessDatabase.create(settings, 10);
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(BusinessArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    database.transact(businessId, connection -> {});
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
    database.close();
  }
}
