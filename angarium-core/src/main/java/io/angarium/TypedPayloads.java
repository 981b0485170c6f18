package io.angarium;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of payload objects and payload objects of messages: the place where types end and
 * bytes begin. Immutable; thread-safe if its codec is.
 */
public final class TypedPayloads {
  /** The header that names the format of the bytes. */
  public static final String CONTENT_TYPE_HEADER = "content-type";

  private static final Pattern CONTENT_TYPE =
      Pattern.compile("[!#$&^_.+0-9A-Za-z-]+/[!#$&^_.+0-9A-Za-z-]+(?:\\s*;[\\x20-\\x7E]*)?");

  private final PayloadCodec codec;
  private final TypeNames types;

  /** Creates a pair of a format and the types written in it. */
  public TypedPayloads(PayloadCodec codec, TypeNames types) {
    this.codec = codec;
    this.types = types;
  }

  /** Whether a text names a format: {@code type/subtype}, perhaps with parameters. */
  public static boolean isContentType(String text) {
    return CONTENT_TYPE.matcher(text).matches();
  }

  /**
   * A message with the bytes of an object, its logical type name and the headers of its format,
   * such as {@code content-type}. Add a key, headers and the rest to the copy returned.
   *
   * @param destination see {@link Destination#parse}
   * @throws PayloadException if the class of the object has no name or cannot be written
   * @throws InvalidMessageException if the destination is null or malformed or the payload is null
   */
  public Message toMessage(String destination, Object payload) {
    Destination parsed = Destination.parse(required("destination", "a destination", destination));
    Object checked = required("payload", "an object", payload);
    Message message = codec.encode(parsed, checked);
    return message.type() != null ? message : message.type(types.nameOf(checked.getClass()));
  }

  // Callers without null checking still get an error that names the part.
  private static <T> T required(String part, String expected, @Nullable T value) {
    if (value == null) {
      throw new InvalidMessageException(part + ": null (expected: " + expected + ")");
    }
    return value;
  }

  /**
   * The object that received bytes describe, of whichever registered class.
   *
   * @param type the logical type name that came with the bytes; null if none came
   * @throws PayloadException if the type is null or not registered, or the bytes do not fit it
   */
  public Object read(@Nullable String type, byte[] payload) {
    return codec.decode(Headers.EMPTY, payload, types.classOf(type));
  }

  /**
   * The object that received bytes describe, if it is of the class the caller handles. That class
   * needs no registration; nor do the classes that a sealed one permits.
   *
   * @param type the logical type name that came with the bytes; null if none came
   * @throws PayloadException if the type is null, unknown or stands for another class, or the bytes
   *     do not fit it
   */
  public <T> T read(@Nullable String type, byte[] payload, Class<T> expected) {
    return expected.cast(codec.decode(Headers.EMPTY, payload, types.classOf(type, expected)));
  }

  /**
   * The object of a message that this application received, with its headers, e.g. in a handler.
   *
   * @throws PayloadException as {@link #read(String, byte[], Class)}
   */
  public <T> T read(Message received, Class<T> expected) {
    Class<? extends T> actual = types.classOf(received.type(), expected);
    return expected.cast(codec.decode(received.headers(), received.payload(), actual));
  }
}
