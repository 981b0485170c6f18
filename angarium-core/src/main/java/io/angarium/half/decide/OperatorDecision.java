package io.angarium.half.decide;

import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import java.time.Instant;

/**
 * What a person did to a half message. Immutable.
 *
 * @param at by the database's clock
 * @param by who it was
 * @param step resume, commit or roll back
 * @param reason why
 * @param before the state before; the same as after if it was a repeat
 * @param after the state after
 */
public record OperatorDecision(
    Instant at, String by, HalfStep step, String reason, HalfState before, HalfState after) {}
