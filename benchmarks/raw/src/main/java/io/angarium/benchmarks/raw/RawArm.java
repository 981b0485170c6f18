package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.KafkaSender;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Sender;
import io.angarium.benchmarks.arm.Variant;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages in a table of their own, sent by {@link RawRelay}. Tuned for throughput a batch for
 * Kafka waits 5 ms for more; otherwise it waits for nothing and looks are made every millisecond.
 */
public final class RawArm implements Arm {
  private final BusinessDatabase database;
  private final RawTable table;
  private final Sender sender;
  private final boolean othersWrite;
  private @Nullable RawRelay relay;

  RawArm(ArmSettings settings) throws Exception {
    this.database = BusinessDatabase.create(settings, 12);
    this.table = RawTable.of(settings.database());
    this.sender = sender(settings);
    this.othersWrite = settings.number("writers", 1) > 0;
    try (Connection connection = database.dataSource().getConnection()) {
      table.create(connection);
    }
  }

  static Sender sender(ArmSettings settings) throws Exception {
    return switch (settings.broker()) {
      case KAFKA -> new KafkaSender(settings, settings.variant() == Variant.TUNED ? 5 : 0);
      case RABBITMQ -> new RabbitSender(settings);
      case ROCKETMQ -> new RocketSender(settings);
    };
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(RawArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    database.transact(businessId, connection -> RawTable.insert(connection, messages));
  }

  @Override
  public void start() {
    relay = new RawRelay(database.dataSource(), table, sender, othersWrite);
    relay.start();
  }

  @Override
  public void stop() throws InterruptedException {
    if (relay != null) {
      relay.stop();
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
