package io.angarium.rabbitmq.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The short strings of AMQP, used for names and most properties. */
public final class ShortString {
  /** The longest, in bytes of UTF-8. */
  public static final int BYTES_MAX = 255;

  private static final int BYTES_PER_CHAR_MAX = 3;

  private ShortString() {}

  public static boolean fits(String text) {
    return text.length() * BYTES_PER_CHAR_MAX <= BYTES_MAX
        || text.getBytes(UTF_8).length <= BYTES_MAX;
  }
}
