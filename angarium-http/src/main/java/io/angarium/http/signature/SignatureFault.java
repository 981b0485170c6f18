package io.angarium.http.signature;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Why a request does not count as signed, in words without any value of its headers but the
 * distance of its time. Immutable.
 */
record SignatureFault(Kind kind, String words) {
  /** What strangers and clocks can do. */
  enum Kind {
    MISSING,
    WRONG,
    TIME
  }

  static final SignatureFault WRONG =
      new SignatureFault(
          Kind.WRONG,
          "a request is signed with none of the secrets here, or its body was changed on the way");

  static final SignatureFault NO_TIME =
      new SignatureFault(Kind.TIME, "the time of a request is no number of seconds");

  static SignatureFault missing(String header) {
    return new SignatureFault(Kind.MISSING, "a request has no header " + header);
  }

  /**
   * @param late from the time of the request to that of the receiver; negative if it comes from the
   *     future
   */
  static SignatureFault tooFar(Duration late, Duration tolerance) {
    // rounded up, so that it is more than the tolerance
    Duration shown = late.abs().plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    return new SignatureFault(
        Kind.TIME,
        "the time of a request is %s %s that of the clock here (expected: up to %s)"
            .formatted(
                DurationText.of(shown),
                late.isNegative() ? "after" : "before",
                DurationText.of(tolerance)));
  }
}
