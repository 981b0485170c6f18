package io.angarium.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One value for each destination, or business, up to a limit, and one that all further ones share:
 * tag values must stay few, whatever messages bring. The text form of the key is the tag.
 * Thread-safe.
 */
final class PerTag<K, T> {
  /** The tag value of those beyond the limit. */
  static final String OTHER = "other";

  private final Map<K, T> values = new ConcurrentHashMap<>();
  private final int limit;
  private final Function<String, T> create;
  private @Nullable T other;

  /**
   * @param create makes a value for a tag value
   */
  PerTag(int limit, Function<String, T> create) {
    this.limit = limit;
    this.create = create;
  }

  T of(K key) {
    T value = values.get(key);
    return value == null ? add(key) : value;
  }

  private synchronized T add(K key) {
    T value = values.get(key);
    if (value == null && values.size() < limit) {
      value = create.apply(key.toString());
      values.put(key, value);
    }
    return value == null ? shared() : value;
  }

  private T shared() {
    T value = other;
    if (value == null) {
      value = create.apply(OTHER);
      other = value;
    }
    return value;
  }
}
