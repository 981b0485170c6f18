package io.angarium;

import io.angarium.internal.OneLine;

/**
 * What a message is about in the words of the business, e.g. {@code ("order-paid", "4711")}.
 * Immutable.
 *
 * @param type kind of event or document, 1..128 characters
 * @param key which one of them, 1..255 characters
 * @param uniqueness what happens when the same pair is sent a second time
 */
public record BusinessKey(String type, String key, Uniqueness uniqueness) {
  /** The longest type, in characters. */
  public static final int TYPE_LENGTH_MAX = 128;

  /** The longest key, in characters. */
  public static final int KEY_LENGTH_MAX = 255;

  /** What happens when a pair of business type and key is sent a second time. */
  public enum Uniqueness {
    /** Nothing: both messages are sent. */
    NONE,
    /** The second send fails with {@link DuplicateBusinessKeyException}. */
    REFUSE,
    /** The second message is dropped without an error. */
    IGNORE
  }

  /** Checks the parts. */
  public BusinessKey {
    check("business type", type, TYPE_LENGTH_MAX);
    check("business key", key, KEY_LENGTH_MAX);
  }

  /** Type and key, in one line. */
  @Override
  public String toString() {
    return OneLine.of(type + "/" + key);
  }

  private static void check(String name, String value, int lengthMax) {
    if (value.isBlank() || value.length() > lengthMax) {
      throw new InvalidMessageException(
          name + ": '" + value + "' (expected: 1.." + lengthMax + " characters)");
    }
  }
}
