package io.angarium.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * SHA-256 of texts in UTF-8, by which tables and messages name them: what it gives is part of their
 * formats and must never change.
 */
public final class Sha256Names {
  private Sha256Names() {}

  /** The first 64 bits of the hash of a text. */
  public static long first64(String text) {
    return ByteBuffer.wrap(digest().digest(text.getBytes(UTF_8))).getLong();
  }

  /**
   * A UUID of version 8 (RFC 9562 §5.8), which no id of a message is, with 122 bits of the hash of
   * the parts, each after its length.
   */
  public static UUID id(String... parts) {
    MessageDigest digest = digest();
    for (String part : parts) {
      byte[] bytes = part.getBytes(UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
      digest.update(bytes);
    }
    ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
    long high = (bytes.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x8000L;
    long low = (bytes.getLong() >>> 2) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
