package io.angarium.grpc;

import io.angarium.grpc.v1.CheckWire;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import io.angarium.half.Verdict;
import io.angarium.half.WhenUnknown;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts our enums to the enums of the wire format and back. The result is empty for a value that
 * this version does not know.
 */
final class Codes {
  private Codes() {}

  static HalfWire.State of(HalfState state) {
    return switch (state) {
      case UNKNOWN -> HalfWire.State.STATE_UNKNOWN;
      case PREPARED -> HalfWire.State.STATE_PREPARED;
      case UNRESOLVED -> HalfWire.State.STATE_UNRESOLVED;
      case COMMIT_REMEMBERED -> HalfWire.State.STATE_COMMIT_REMEMBERED;
      case ROLLBACK_REMEMBERED -> HalfWire.State.STATE_ROLLBACK_REMEMBERED;
      case COMMITTED -> HalfWire.State.STATE_COMMITTED;
      case ROLLED_BACK -> HalfWire.State.STATE_ROLLED_BACK;
    };
  }

  static Optional<HalfState> state(HalfWire.State code) {
    return switch (code) {
      case STATE_UNKNOWN -> Optional.of(HalfState.UNKNOWN);
      case STATE_PREPARED -> Optional.of(HalfState.PREPARED);
      case STATE_UNRESOLVED -> Optional.of(HalfState.UNRESOLVED);
      case STATE_COMMIT_REMEMBERED -> Optional.of(HalfState.COMMIT_REMEMBERED);
      case STATE_ROLLBACK_REMEMBERED -> Optional.of(HalfState.ROLLBACK_REMEMBERED);
      case STATE_COMMITTED -> Optional.of(HalfState.COMMITTED);
      case STATE_ROLLED_BACK -> Optional.of(HalfState.ROLLED_BACK);
      case STATE_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  static HalfWire.Refusal of(@Nullable Refusal refusal) {
    if (refusal == null) {
      return HalfWire.Refusal.REFUSAL_UNSPECIFIED;
    }
    return switch (refusal) {
      case UNKNOWN -> HalfWire.Refusal.REFUSAL_UNKNOWN;
      case ALREADY_COMMITTED -> HalfWire.Refusal.REFUSAL_ALREADY_COMMITTED;
      case ALREADY_ROLLED_BACK -> HalfWire.Refusal.REFUSAL_ALREADY_ROLLED_BACK;
    };
  }

  /** Not for {@code REFUSAL_UNSPECIFIED}, which is none. */
  static Optional<Refusal> refusal(HalfWire.Refusal code) {
    return switch (code) {
      case REFUSAL_UNKNOWN -> Optional.of(Refusal.UNKNOWN);
      case REFUSAL_ALREADY_COMMITTED -> Optional.of(Refusal.ALREADY_COMMITTED);
      case REFUSAL_ALREADY_ROLLED_BACK -> Optional.of(Refusal.ALREADY_ROLLED_BACK);
      case REFUSAL_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  static HalfWire.WhenUnknown of(WhenUnknown whenUnknown) {
    return switch (whenUnknown) {
      case REFUSE -> HalfWire.WhenUnknown.WHEN_UNKNOWN_REFUSE;
      case REMEMBER -> HalfWire.WhenUnknown.WHEN_UNKNOWN_REMEMBER;
    };
  }

  static Optional<WhenUnknown> whenUnknown(HalfWire.WhenUnknown code) {
    return switch (code) {
      case WHEN_UNKNOWN_REFUSE -> Optional.of(WhenUnknown.REFUSE);
      case WHEN_UNKNOWN_REMEMBER -> Optional.of(WhenUnknown.REMEMBER);
      case WHEN_UNKNOWN_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }

  static CheckWire.Verdict of(Verdict verdict) {
    return switch (verdict) {
      case COMMITTED -> CheckWire.Verdict.VERDICT_COMMITTED;
      case ROLLED_BACK -> CheckWire.Verdict.VERDICT_ROLLED_BACK;
      case IN_FLIGHT -> CheckWire.Verdict.VERDICT_IN_FLIGHT;
      case UNKNOWN -> CheckWire.Verdict.VERDICT_UNKNOWN;
      case UNREACHABLE -> CheckWire.Verdict.VERDICT_UNREACHABLE;
    };
  }

  static Optional<Verdict> verdict(CheckWire.Verdict code) {
    return switch (code) {
      case VERDICT_COMMITTED -> Optional.of(Verdict.COMMITTED);
      case VERDICT_ROLLED_BACK -> Optional.of(Verdict.ROLLED_BACK);
      case VERDICT_IN_FLIGHT -> Optional.of(Verdict.IN_FLIGHT);
      case VERDICT_UNKNOWN -> Optional.of(Verdict.UNKNOWN);
      case VERDICT_UNREACHABLE -> Optional.of(Verdict.UNREACHABLE);
      case VERDICT_UNSPECIFIED, UNRECOGNIZED -> Optional.empty();
    };
  }
}
