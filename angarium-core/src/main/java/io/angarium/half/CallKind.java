package io.angarium.half;

import java.util.Collection;
import java.util.function.Function;

/** The kind that calls made together have in common. Calls of one kind can be one statement. */
public enum CallKind {
  /** Prepares alone. */
  PREPARES,
  /** Commits alone, whether they are remembered or not. */
  COMMITS,
  /** Others, or of several kinds. */
  MIXED;

  /**
   * The kind of some calls.
   *
   * @param step what a call does
   */
  public static <C> CallKind of(Collection<? extends C> calls, Function<? super C, HalfStep> step) {
    if (calls.stream().allMatch(call -> step.apply(call) == HalfStep.PREPARE)) {
      return PREPARES;
    }
    return calls.stream().allMatch(call -> step.apply(call).isCommit()) ? COMMITS : MIXED;
  }
}
