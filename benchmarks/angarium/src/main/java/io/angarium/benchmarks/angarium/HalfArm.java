package io.angarium.benchmarks.angarium;

import io.angarium.Message;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcHalfMessages;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** Pairs of prepare and commit in the database itself, by Angarium as it comes. */
public final class HalfArm extends SilentArm {
  private static final String BUSINESS = "purchase";

  private final JdbcHalfMessages half;
  private final String destination;

  HalfArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, 10));
    this.half =
        JdbcDatabase.open(database.dataSource(), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE))
            .halfMessages(MessageIntake.of(null), Handover.NONE);
    this.destination = "kafka:" + settings.topic();
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(HalfArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) {
    for (Outgoing outgoing : messages) {
      HalfKey key = new HalfKey(BUSINESS, Long.toString(outgoing.number()));
      half.prepare(HalfMessage.of(key, Message.of(destination, outgoing.payload())));
      half.commit(key);
    }
  }

  /** Messages that were committed: each is in the outbox. */
  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM outbox");
  }

  @Override
  public void close() {
    half.close();
    super.close();
  }
}
