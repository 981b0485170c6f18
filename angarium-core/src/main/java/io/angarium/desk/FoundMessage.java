package io.angarium.desk;

import io.angarium.MessageId;
import java.time.Instant;
import java.util.List;

/**
 * The stages that have a message. Immutable.
 *
 * @param places one for each stage that has it, in the order of {@link Stage}; a message that was
 *     requeued can be in several
 * @param complete false if not every row was looked at, so that it may be in a further stage
 * @param now the database's clock
 */
public record FoundMessage(
    MessageId id, List<MessageDetails> places, boolean complete, Instant now) {
  /** Copies the list. */
  public FoundMessage {
    places = List.copyOf(places);
  }
}
