package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Sender;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * As {@link RawArm}, but what is committed while the relay runs is handed over to it ({@link
 * RawHandoff}) instead of polled.
 */
public final class RawHandoffArm implements Arm {
  private final BusinessDatabase database;
  private final RawTable table;
  private final Sender sender;
  private volatile @Nullable RawHandoff relay;

  RawHandoffArm(ArmSettings settings) throws Exception {
    this.database = BusinessDatabase.create(settings, 12);
    this.table = RawTable.of(settings.database());
    this.sender = RawArm.sender(settings);
    try (Connection connection = database.dataSource().getConnection()) {
      table.create(connection);
    }
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(RawHandoffArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws Exception {
    RawHandoff running = relay;
    if (running == null || messages.isEmpty()) {
      database.transact(businessId, connection -> RawTable.insert(connection, messages));
    } else {
      transact(businessId, messages, running);
    }
  }

  private void transact(long businessId, List<Outgoing> messages, RawHandoff running)
      throws SQLException, InterruptedException {
    List<RawRow> rows = new ArrayList<>(messages.size());
    try {
      database.transact(
          businessId,
          connection -> {
            rows.addAll(table.insertReturning(connection, messages));
            running.announce(rows);
          });
    } catch (SQLException e) {
      running.withdraw(rows);
      throw e;
    }
    running.handOver(rows);
  }

  @Override
  public void start() {
    RawHandoff started = new RawHandoff(database.dataSource(), table, sender);
    started.start();
    relay = started;
  }

  @Override
  public void stop() throws InterruptedException {
    RawHandoff running = relay;
    relay = null;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public long sent() {
    return sender.acknowledged();
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM raw_outbox");
  }

  @Override
  public void close() {
    sender.close();
    database.close();
  }
}
