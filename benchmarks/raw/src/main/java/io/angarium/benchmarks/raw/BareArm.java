package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** A consumer without an inbox: a row of the business for each delivery, in one transaction. */
public final class BareArm extends SilentArm {
  private BareArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, 10));
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(BareArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    if (messages.size() == 1) {
      database.transact(businessId, connection -> {});
    } else {
      database.transact(connection -> BusinessTable.insertAll(connection, messages));
    }
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM purchase");
  }
}
