package io.angarium.jdbc.internal.half;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.write.MessageWriter;
import java.time.Duration;
import java.util.Comparator;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A step of one half message, whose message was checked. Immutable.
 *
 * @param id of the key
 * @param prepared what is stored; only of a prepare
 * @param message of that, as the outbox will have it
 * @param delay of a prepare, or of a commit in its place
 */
public record AcceptedCall(
    HalfKey key,
    HalfStep step,
    UUID id,
    @Nullable HalfMessage prepared,
    @Nullable NewMessage message,
    Duration delay) {
  /** By their ids as databases order them: who holds rows in this order meets no deadlock. */
  static final Comparator<AcceptedCall> AS_STORED =
      Comparator.comparing(AcceptedCall::id, AcceptedCall::compare);

  public static AcceptedCall of(HalfCall call, MessageIntake intake, Handover handover) {
    if (call instanceof HalfCall.Prepare prepare) {
      HalfMessage half = prepare.message();
      return new AcceptedCall(
          call.key(),
          call.step(),
          call.key().id(),
          half,
          intake.accept(half.message(), handover),
          half.delay());
    }
    if (call instanceof HalfCall.Commit commit) {
      return new AcceptedCall(call.key(), call.step(), call.key().id(), null, null, commit.delay());
    }
    return of(call.key(), call.step());
  }

  /** A step that needs no message. */
  public static AcceptedCall of(HalfKey key, HalfStep step) {
    return new AcceptedCall(key, step, key.id(), null, null, Duration.ZERO);
  }

  boolean commits() {
    return step.isCommit();
  }

  /** What its message adds to a statement. */
  public long bytes() {
    return message == null ? 0 : MessageWriter.bytes(message.message());
  }

  /** Whether it cannot be made by a statement for many. */
  public boolean isDelayedCommit() {
    return commits() && !delay.isZero();
  }

  /** The row that is written if there is none; null if nothing is. */
  @Nullable
  public HalfRow row() {
    HalfState state = HalfState.UNKNOWN.after(step).state();
    return state == HalfState.UNKNOWN
        ? null
        : new HalfRow(
            key, id, state, message, delay, prepared == null ? null : prepared.checkBack());
  }

  /** Byte by byte, without signs. */
  private static int compare(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high == 0
        ? Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits())
        : high;
  }
}
