package io.angarium.deadletter;

import io.angarium.intake.StoredMessage;
import java.time.Instant;

/**
 * A message that was given up. Immutable.
 *
 * @param message as it was stored, with its finished attempts
 * @param reason why the last attempt failed, for a person
 * @param deadSince by the database's clock
 * @param blocksKey true if later messages of its key wait for a decision
 */
public record DeadLetter(
    StoredMessage message, String reason, Instant deadSince, boolean blocksKey) {}
