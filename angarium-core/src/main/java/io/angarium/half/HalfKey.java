package io.angarium.half;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.internal.OneLine;
import io.angarium.internal.Sha256Names;
import java.util.UUID;

/**
 * Which half message: the business it belongs to, and its key there. Both together are unique.
 * Immutable.
 *
 * @param business the business id, e.g. {@code order-paid}, 1..128 characters
 * @param key which one of them, e.g. the number of the order, 1..255 characters
 */
public record HalfKey(String business, String key) {
  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is blank, too long, or has the character U+0000 or half
   *     a surrogate pair
   */
  public HalfKey {
    check("business", business, Marker.TYPE_LENGTH_MAX);
    check("key", key, Marker.KEY_LENGTH_MAX);
  }

  private static void check(String name, String value, int lengthMax) {
    if (value.isBlank()
        || value.length() > lengthMax
        || value.indexOf(0) >= 0
        || !UTF_8.newEncoder().canEncode(value)) {
      throw new IllegalArgumentException(
          "half message "
              + name
              + ": '"
              + value
              + "' (expected: 1.."
              + lengthMax
              + " characters, none of them U+0000 or half a surrogate pair)");
    }
  }

  /**
   * The key as 16 bytes, which are compared alike by every database: a UUID of version 8 (RFC 9562
   * §5.8) with 122 bits of the SHA-256 of both parts. Part of the table format: it must never
   * change.
   */
  public UUID id() {
    return Sha256Names.id(business, key);
  }

  /**
   * Business and key, fit for a line of the log: question marks stand for what is no character of
   * one.
   */
  @Override
  public String toString() {
    return OneLine.of(business + "/" + key);
  }
}
