package io.angarium.relay;

import io.angarium.store.Lease;
import io.angarium.store.Parking;
import io.angarium.store.Position;
import io.angarium.store.Settlement;
import java.util.List;
import java.util.function.Consumer;

/**
 * A write that waits its turn in {@link StoreWrites}, the rows that leave the flight with it, and
 * what follows. Compared by identity. Not thread-safe: one thread at a time.
 */
final class QueuedWrite {
  final Lease lease;
  final Step step;
  final List<Position> rows;
  final Runnable done;
  final Runnable dropped;

  /** What is written. */
  sealed interface Step {
    /** How many rows are written. */
    default int rows() {
      return 0;
    }
  }

  /** Nothing: something is to be done once all before it is written. */
  record Note() implements Step {}

  /** Something that is written by itself. */
  record Alone(Runnable action) implements Step {}

  /**
   * Rows that leave the outbox for a while, each after those that it waits for; written together
   * with others, whatever their lease.
   */
  record Park(List<Parking> parkings) implements Step {
    @Override
    public int rows() {
      return parkings.size();
    }
  }

  /**
   * The results of retries; written together with others, whatever their lease.
   *
   * @param settled told whether more of the key is parked
   */
  record Settle(Settlement settlement, Consumer<Boolean> settled) implements Step {
    @Override
    public int rows() {
      return settlement.acknowledged().size() + settlement.failed().size();
    }
  }

  QueuedWrite(Lease lease, Step step, List<Position> rows, Runnable done) {
    this(lease, step, rows, done, () -> {});
  }

  /**
   * @param dropped run instead of {@code done} if the lease is lost
   */
  QueuedWrite(Lease lease, Step step, List<Position> rows, Runnable done, Runnable dropped) {
    this.lease = lease;
    this.step = step;
    this.rows = rows;
    this.done = done;
    this.dropped = dropped;
  }
}
