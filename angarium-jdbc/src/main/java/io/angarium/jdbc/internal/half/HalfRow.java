package io.angarium.jdbc.internal.half;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.intake.NewMessage;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of a half message as it is first written. Immutable.
 *
 * @param id of the key, see {@link HalfKey#id}
 * @param state prepared, or a decision that is remembered
 * @param message null for a decision
 * @param checkBack where its producer is asked; null for within the process
 */
public record HalfRow(
    HalfKey key,
    UUID id,
    HalfState state,
    @Nullable NewMessage message,
    Duration delay,
    @Nullable URI checkBack) {}
