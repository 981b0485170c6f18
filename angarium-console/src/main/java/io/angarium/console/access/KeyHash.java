package io.angarium.console.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The hash by which a key is known. A key is 256 random bits, so its SHA-256 tells nothing about
 * it, and no slow hash is needed. Immutable.
 *
 * @param text {@code sha256:} and 64 hexadecimal digits
 */
public record KeyHash(String text) {
  private static final String SHA256 = "sha256:";
  private static final Pattern FORM = Pattern.compile(SHA256 + "[0-9a-f]{64}");

  /**
   * Checks the form; the text itself is not told.
   *
   * @throws IllegalArgumentException if it is no hash
   */
  public KeyHash {
    if (!isHash(text)) {
      throw new IllegalArgumentException(
          "hash: %d characters (expected: '%s' and 64 hexadecimal digits)"
              .formatted(text.length(), SHA256));
    }
  }

  /** Whether a text has the form of a hash. */
  public static boolean isHash(String text) {
    return FORM.matcher(text).matches();
  }

  /** The hash of a key. */
  public static KeyHash of(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      return new KeyHash(SHA256 + HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Whether it is the same hash; takes as long if it is not. */
  public boolean isSame(KeyHash other) {
    return MessageDigest.isEqual(text.getBytes(UTF_8), other.text.getBytes(UTF_8));
  }
}
