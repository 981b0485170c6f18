package io.angarium.intake;

import io.angarium.Message;
import io.angarium.MessageId;

/**
 * A checked message on its way into the outbox. Immutable.
 *
 * @param id given once, kept for ever
 * @param partition see {@link io.angarium.intake.Partitioning}
 */
public record NewMessage(MessageId id, int partition, Message message) {}
