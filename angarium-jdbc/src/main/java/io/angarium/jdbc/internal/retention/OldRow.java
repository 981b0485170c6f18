package io.angarium.jdbc.internal.retention;

import java.util.List;

/**
 * The key of a row that is old enough to be deleted. Immutable.
 *
 * @param key its columns as text
 */
public record OldRow(List<String> key) {
  public OldRow(List<String> key) {
    this.key = List.copyOf(key);
  }

  @Override
  public String toString() {
    return String.join("/", key);
  }
}
