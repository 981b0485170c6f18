package io.angarium.redis;

import io.angarium.OutboxException;
import io.angarium.inbox.InboxKey;
import java.util.List;

/**
 * Thrown when work has been done, but its claim on the message was over before: the lease ended, or
 * Redis forgot it. Its effect stays, and may happen twice. Have the message delivered again: it is
 * then a repeat if it has been processed.
 */
public final class LostClaimException extends OutboxException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // List.copyOf is serializable
  private final List<InboxKey> keys;

  LostClaimException(long token, List<String> lost, List<InboxKey> keys) {
    super(
        "Processed, perhaps twice: the claim with token "
            + token
            + " was over before the work was, for "
            + String.join(", ", lost)
            + ". Have it delivered again. Where work takes that long, raise"
            + " inbox.redis.renew-max or inbox.redis.lease");
    this.keys = List.copyOf(keys);
  }

  /** What may have been processed twice, at least one. */
  public List<InboxKey> keys() {
    return keys;
  }
}
