package io.angarium;

/**
 * Writes objects as payloads and reads them back, in one format. Implemented once per format;
 * methods get added as default methods. Thread-safe.
 *
 * <p>{@code encode} runs when the object is sent, mostly inside the caller's database transaction.
 * A codec that asks another process, such as a schema registry, must bound that time.
 */
@FunctionalInterface
public interface PayloadCodec {
  /**
   * A message to the destination with the bytes of an object, and with the headers that consumers
   * need to read them, such as {@link TypedPayloads#CONTENT_TYPE_HEADER}. If it has no type, {@link
   * TypeNames} name it.
   *
   * @throws PayloadException if the object cannot be written
   */
  Message encode(Destination destination, Object payload);

  /**
   * The object that received bytes describe. By default, a codec only writes.
   *
   * @param headers what came with the bytes; empty if the caller does not know
   * @param type the class wanted; never taken from the bytes
   * @throws PayloadException if the bytes do not describe an object of that class, or the codec
   *     only writes
   */
  default <T> T decode(Headers headers, byte[] payload, Class<T> type) {
    throw new PayloadException(
        getClass().getName()
            + " only writes payloads (expected: a codec that reads "
            + type.getName()
            + "); read it with what consumers of this format use, e.g. a Deserializer of Kafka");
  }
}
