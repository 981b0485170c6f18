package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** The business alone: the transaction as it would be without any messages. */
public final class BusinessArm extends SilentArm {
  private BusinessArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, 10));
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
  public long left() {
    return 0;
  }
}
