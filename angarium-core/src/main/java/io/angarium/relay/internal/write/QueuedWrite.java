package io.angarium.relay.internal.write;

import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import java.util.List;
import java.util.function.Consumer;

/**
 * A write that waits its turn in {@link FencedWriteQueue}, the rows that leave the flight with it,
 * and what follows. Compared by identity. Not thread-safe: one thread at a time.
 */
public final class QueuedWrite {
  final Lease lease;
  final Subject subject;
  final Step step;
  final List<Position> rows;
  final Runnable done;
  final Runnable dropped;

  /** It is written no more. */
  boolean ended;

  /**
   * What the writes depend on each other for: a key, or one message without a key.
   *
   * @param sequence of the message without a key; 0 for a key
   */
  public record Subject(int partition, long keyHash, long sequence) {
    public static Subject of(Position position, long keyHash) {
      return Partitioning.isKeyed(position.partition())
          ? ofKey(position.partition(), keyHash)
          : new Subject(position.partition(), 0, position.sequence());
    }

    static Subject ofKey(int partition, long keyHash) {
      return new Subject(partition, keyHash, 0);
    }

    static Subject of(ParkedOutcome settlement) {
      if (settlement.keyed()) {
        return ofKey(settlement.lease().partition(), settlement.keyHash());
      }
      List<ParkedEntry> failed = settlement.failed();
      return of(failed.isEmpty() ? settlement.acknowledged().get(0) : failed.get(0).position(), 0);
    }
  }

  /** True if it only parks rows behind others, which may stay in the outbox as well. */
  boolean isFollowing() {
    return step instanceof Park park && park.parkings().stream().noneMatch(ParkedEntry::head);
  }

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
  record Park(List<ParkedEntry> parkings) implements Step {
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
  record Settle(ParkedOutcome settlement, Consumer<Boolean> settled) implements Step {
    @Override
    public int rows() {
      return settlement.acknowledged().size() + settlement.failed().size();
    }
  }

  QueuedWrite(Lease lease, Subject subject, Step step, List<Position> rows, Runnable done) {
    this(lease, subject, step, rows, done, () -> {});
  }

  /**
   * @param dropped run instead of {@code done} if the lease is lost
   */
  QueuedWrite(
      Lease lease,
      Subject subject,
      Step step,
      List<Position> rows,
      Runnable done,
      Runnable dropped) {
    this.lease = lease;
    this.subject = subject;
    this.step = step;
    this.rows = rows;
    this.done = done;
    this.dropped = dropped;
  }

  @Override
  public String toString() {
    return rows.isEmpty() ? step + " of " + subject : rows.toString();
  }
}
