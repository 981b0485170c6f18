package io.angarium.half;

import io.angarium.internal.OneLine;

/**
 * The name of one local transaction in the table of markers. Must be new for each transaction: a
 * transaction that finds its marker taken is rolled back. Immutable.
 *
 * @param type what sort of business it is, 1..128 characters
 * @param key which one of them, e.g. the id of the half message, 1..255 characters
 */
public record Marker(String type, String key) {
  /** The longest type, in characters. */
  public static final int TYPE_LENGTH_MAX = 128;

  /** The longest key, in characters. */
  public static final int KEY_LENGTH_MAX = 255;

  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is blank or too long
   */
  public Marker {
    check("type", type, TYPE_LENGTH_MAX);
    check("key", key, KEY_LENGTH_MAX);
  }

  private static void check(String name, String value, int lengthMax) {
    if (value.isBlank() || value.length() > lengthMax) {
      throw new IllegalArgumentException(
          "marker " + name + ": '" + value + "' (expected: 1.." + lengthMax + " characters)");
    }
  }

  /** Type and key. */
  @Override
  public String toString() {
    return OneLine.of(type + "/" + key);
  }
}
