package io.angarium.jdbc;

import io.angarium.half.HalfStep;
import java.util.List;

/** What calls have in common, as far as their statements are concerned. */
enum CallKind {
  PREPARES,
  COMMITS,
  MIXED;

  static CallKind of(List<AcceptedCall> calls) {
    if (calls.stream().allMatch(call -> call.step() == HalfStep.PREPARE)) {
      return PREPARES;
    }
    return calls.stream().allMatch(AcceptedCall::commits) ? COMMITS : MIXED;
  }
}
