package io.angarium.micrometer;

import io.angarium.Destination;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One value for each destination up to a limit, and one that all further destinations share: tag
 * values must stay few, whatever addresses messages bring. Thread-safe.
 */
final class PerDestination<T> {
  /** The tag value of destinations beyond the limit. */
  static final String OTHER = "other";

  private final Map<Destination, T> values = new ConcurrentHashMap<>();
  private final int limit;
  private final Function<String, T> create;
  private @Nullable T other;

  /**
   * @param create makes a value for a tag value
   */
  PerDestination(int limit, Function<String, T> create) {
    this.limit = limit;
    this.create = create;
  }

  T of(Destination destination) {
    T value = values.get(destination);
    return value == null ? add(destination) : value;
  }

  private synchronized T add(Destination destination) {
    T value = values.get(destination);
    if (value == null && values.size() < limit) {
      value = create.apply(destination.toString());
      values.put(destination, value);
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
