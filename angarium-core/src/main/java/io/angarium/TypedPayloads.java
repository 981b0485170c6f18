package io.angarium;

import org.jspecify.annotations.Nullable;

/**
 * Makes messages of payload objects and payload objects of messages: the place where types end and
 * bytes begin. Immutable; thread-safe if its codec is.
 */
public final class TypedPayloads {
  /** The header that names the format of the bytes. */
  public static final String CONTENT_TYPE_HEADER = "content-type";

  private final PayloadCodec codec;
  private final TypeNames types;

  /** Creates a pair of a format and the types written in it. */
  public TypedPayloads(PayloadCodec codec, TypeNames types) {
    this.codec = codec;
    this.types = types;
  }

  /**
   * A message with the bytes of an object, its logical type name and its content type. Add a key,
   * headers and the rest to the copy returned.
   *
   * @param destination see {@link Destination#parse}
   * @throws PayloadException if the class of the object is not registered or cannot be written
   * @throws InvalidMessageException if the destination is malformed or the payload is null
   */
  public Message toMessage(String destination, Object payload) {
    Object checked = required(payload);
    String type = types.nameOf(checked.getClass());
    return Message.of(destination, codec.encode(checked))
        .type(type)
        .header(CONTENT_TYPE_HEADER, codec.contentType());
  }

  // Callers without null checking still get an error that names the part.
  private static Object required(@Nullable Object payload) {
    if (payload == null) {
      throw new InvalidMessageException("payload: null (expected: an object)");
    }
    return payload;
  }

  /**
   * The object that received bytes describe.
   *
   * @param type the logical type name that came with the bytes; null if none came
   * @throws PayloadException if the type is null or unknown, or the bytes do not fit it
   */
  public Object read(@Nullable String type, byte[] payload) {
    return codec.decode(payload, types.classOf(type));
  }

  /**
   * The object that received bytes describe, if it is of the class the caller handles.
   *
   * @param type the logical type name that came with the bytes; null if none came
   * @throws PayloadException if the type is null, unknown or stands for another class, or the bytes
   *     do not fit it
   */
  public <T> T read(@Nullable String type, byte[] payload, Class<T> expected) {
    Class<?> actual = types.classOf(type);
    if (!expected.isAssignableFrom(actual)) {
      throw new PayloadException(
          "payload type: '"
              + type
              + "' is "
              + actual.getName()
              + " (expected: "
              + expected.getName()
              + ")");
    }
    return expected.cast(codec.decode(payload, actual));
  }
}
