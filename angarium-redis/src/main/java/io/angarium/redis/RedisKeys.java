package io.angarium.redis;

import io.angarium.inbox.InboxKey;
import java.util.List;

/**
 * The names of what is kept in Redis. A prefix has no colon and an id always the same length, so
 * that no two keys have the same name, whatever consumers are called.
 */
record RedisKeys(String prefix) {
  String of(InboxKey key) {
    return prefix + ":" + key.consumer() + ":" + key.id();
  }

  List<String> of(List<InboxKey> keys) {
    return keys.stream().map(this::of).toList();
  }

  /** The last token that was given. */
  String token() {
    return prefix + ":token";
  }
}
