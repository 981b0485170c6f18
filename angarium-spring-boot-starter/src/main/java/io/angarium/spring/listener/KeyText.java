package io.angarium.spring.listener;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.temporal.TemporalAccessor;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The text of a value that identifies a message. Only what has the same text at each delivery is
 * one: a list has another one when the next poll brings other messages, an object without a {@code
 * toString} of its own each time.
 */
final class KeyText {
  private static final List<Class<?>> STABLE =
      List.of(
          CharSequence.class,
          Number.class,
          Character.class,
          Boolean.class,
          Enum.class,
          UUID.class,
          URI.class,
          TemporalAccessor.class);

  /** What hardly any key begins with by itself. */
  private static final String NO_TEXT = "\uFFFD";

  private KeyText() {}

  /**
   * Null if there is no value.
   *
   * @throws IllegalArgumentException if it may have another text the next time
   */
  static @Nullable String of(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof byte[] bytes) {
      return text(bytes);
    }
    if (STABLE.stream().noneMatch(type -> type.isInstance(value))) {
      throw new IllegalArgumentException(
          "its key is a "
              + value.getClass().getSimpleName()
              + " (expected: text, a number, a UUID, an enum, a time or bytes)");
    }
    return value.toString();
  }

  /** Text if they are any, else their digits: what is no text would become the same one. */
  private static String text(byte[] bytes) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return NO_TEXT + HexFormat.of().formatHex(bytes);
    }
  }
}
