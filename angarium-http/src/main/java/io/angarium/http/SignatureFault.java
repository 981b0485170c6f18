package io.angarium.http;

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
    Duration shown = late.abs().truncatedTo(ChronoUnit.MILLIS);
    return new SignatureFault(
        Kind.TIME,
        "the time of a request is %s %s that of the clock here (expected: up to %s)"
            .formatted(shown, late.isNegative() ? "after" : "before", tolerance));
  }
}
