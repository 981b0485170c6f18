package io.angarium.store;

import io.angarium.MessageId;
import io.angarium.intake.Position;

/**
 * A message that the broker acknowledged, and where its row was when it was read. Immutable.
 *
 * @param position holds another message if the database has gone back since
 */
public record SentMessage(Position position, MessageId id) {}
