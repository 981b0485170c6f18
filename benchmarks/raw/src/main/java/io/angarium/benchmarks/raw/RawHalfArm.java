package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.HalfByHand;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Half messages by hand: one transaction for each call. */
public final class RawHalfArm extends SilentArm {
  /** Two cores and a disk are busy with fewer. */
  private static final int CONNECTIONS = 32;

  private final HalfByHand half;

  RawHalfArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, CONNECTIONS));
    this.half = new HalfByHand(database.dataSource());
    half.create(settings.database());
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(RawHalfArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    for (Outgoing message : messages) {
      String key = Long.toString(message.number());
      half.prepare(key, message.payload());
      half.commit(key);
    }
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM raw_half WHERE state = 2");
  }
}
