package io.angarium.half;

import org.jspecify.annotations.Nullable;

/**
 * What became of a {@link HalfCall}. Immutable.
 *
 * @param key which half message
 * @param state its state afterwards
 * @param refusal why the call was refused; null if it was not
 */
public record HalfAnswer(HalfKey key, HalfState state, @Nullable Refusal refusal) {
  /** The answer to a call that leads to this. */
  public static HalfAnswer of(HalfKey key, HalfState.Transition transition) {
    return new HalfAnswer(key, transition.state(), transition.refusal());
  }

  /**
   * The state, unless the call was refused.
   *
   * @throws RefusedStepException if it was
   */
  public HalfState accepted() {
    if (refusal != null) {
      throw new RefusedStepException(key, refusal);
    }
    return state;
  }
}
