package io.angarium.benchmarks.centre;

import io.angarium.Message;
import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import java.util.List;

/** Pairs of prepare and commit at a server, which sends what is committed meanwhile. */
final class CentreArm implements Arm {
  private static final String BUSINESS = "purchase";

  private final HalfMessages half;
  private final AutoCloseable connection;
  private final String destination;

  /**
   * How to call it.
   *
   * @param connection closed with the arm
   */
  CentreArm(ArmSettings settings, HalfMessages half, AutoCloseable connection) {
    this.half = half;
    this.connection = connection;
    this.destination = "kafka:" + settings.topic();
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) {
    for (Outgoing outgoing : messages) {
      HalfKey key = new HalfKey(BUSINESS, Long.toString(outgoing.number()));
      half.prepare(HalfMessage.of(key, Message.of(destination, outgoing.payload())));
      half.commit(key);
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
    try {
      connection.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
