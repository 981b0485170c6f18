package io.angarium;

/**
 * Turns payload objects into bytes and back, in one format. Implemented once per format; methods
 * get added as default methods. Never blocks; thread-safe.
 */
public interface PayloadCodec {
  /** The media type written to the {@code content-type} header, e.g. {@code application/json}. */
  String contentType();

  /**
   * The bytes of an object.
   *
   * @throws PayloadException if the object cannot be written
   */
  byte[] encode(Object payload);

  /**
   * The object that the bytes describe.
   *
   * @param type the class wanted; never taken from the bytes
   * @throws PayloadException if the bytes do not describe an object of that class
   */
  <T> T decode(byte[] payload, Class<T> type);
}
