package io.angarium.spring.test;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.intake.NewMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unique pairs of business type and key that were used since the last test, also by
 * transactions that are still open. Thread-safe.
 */
final class UniqueBusinessKeys {
  private record Pair(String type, String key) {}

  private final Set<Pair> used = new HashSet<>();

  /**
   * Claims the business keys of a transaction.
   *
   * @return the messages that are not dropped as repeats
   * @throws DuplicateBusinessKeyException if one demands a key that was used; none is claimed then
   */
  synchronized List<NewMessage> claim(List<NewMessage> messages) {
    List<NewMessage> accepted = new ArrayList<>(messages.size());
    for (NewMessage message : messages) {
      BusinessKey business = unique(message);
      if (business == null || used.add(pair(business))) {
        accepted.add(message);
      } else if (business.uniqueness() == Uniqueness.REFUSE) {
        release(accepted);
        throw new DuplicateBusinessKeyException(
            "business key: ("
                + business.type()
                + ", "
                + business.key()
                + ") was sent before in this test and is unique. Use another key, or IGNORE to"
                + " drop repeats");
      }
    }
    return accepted;
  }

  /** Releases the business keys of a transaction that was rolled back. */
  synchronized void release(List<NewMessage> messages) {
    for (NewMessage message : messages) {
      BusinessKey business = unique(message);
      if (business != null) {
        used.remove(pair(business));
      }
    }
  }

  synchronized void clear() {
    used.clear();
  }

  private static @Nullable BusinessKey unique(NewMessage message) {
    BusinessKey business = message.message().business();
    return business == null || business.uniqueness() == Uniqueness.NONE ? null : business;
  }

  private static Pair pair(BusinessKey business) {
    return new Pair(business.type(), business.key());
  }
}
