package io.angarium.half;

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
public record HalfAct(
    Instant at, String by, HalfStep step, String reason, HalfState before, HalfState after) {}
