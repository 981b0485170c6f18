package io.angarium.desk;

import io.angarium.MessageId;
import java.util.List;
import java.util.Map;

/**
 * What became of the messages of an act. Immutable.
 *
 * @param done those that it changed
 * @param notFound those that were not in its stage
 * @param refused those that it left alone, each with the reason
 */
public record ActResult(
    List<MessageId> done, List<MessageId> notFound, Map<MessageId, String> refused) {
  /** Copies the collections. */
  public ActResult {
    done = List.copyOf(done);
    notFound = List.copyOf(notFound);
    refused = Map.copyOf(refused);
  }
}
