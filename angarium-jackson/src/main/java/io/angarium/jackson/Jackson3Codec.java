package io.angarium.jackson;

import io.angarium.ConfigFaults;
import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import io.angarium.TypedPayloads;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;

/**
 * JSON by Jackson 3 ({@code tools.jackson}), with the content type {@code application/json}.
 * Thread-safe.
 *
 * <p>Fields that the class does not have are ignored when it is read, whatever the mapper says: a
 * producer that adds a field must not stop the consumers that do not know it yet.
 */
public final class Jackson3Codec implements PayloadCodec {
  private final ObjectMapper mapper;
  private final ObjectReader tolerant;

  /**
   * Creates a codec on a mapper, whose settings decide how values are written and read.
   *
   * @param mapper without default typing, which would let a message choose the class it becomes
   * @throws io.angarium.ConfigurationException if the mapper has default typing, or writes another
   *     format than JSON
   */
  public Jackson3Codec(ObjectMapper mapper) {
    boolean typed =
        mapper.deserializationConfig().getDefaultTyper(mapper.constructType(Object.class)) != null;
    String format = mapper.tokenStreamFactory().getFormatName();
    new ConfigFaults()
        .require("JSON".equals(format), "mapper", "format " + format, "JSON")
        .require(!typed, "mapper", "default typing is on", "off; name the types in TypeNames")
        .throwIfAny();
    this.mapper = mapper;
    this.tolerant = mapper.reader().without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  }

  @Override
  public Message encode(Destination destination, Object payload) {
    try {
      return Message.of(destination, mapper.writeValueAsBytes(payload))
          .header(TypedPayloads.CONTENT_TYPE_HEADER, "application/json");
    } catch (JacksonException e) {
      throw new PayloadException(
          "payload of "
              + payload.getClass().getName()
              + " cannot be written as JSON; see the cause",
          e);
    }
  }

  @Override
  public <T> T decode(Headers headers, byte[] payload, Class<T> type) {
    return present(read(payload, type), type);
  }

  private <T> @Nullable T read(byte[] payload, Class<T> type) {
    try {
      return tolerant.forType(type).readValue(payload);
    } catch (JacksonException e) {
      throw new PayloadException(
          payload.length + " bytes cannot be read as JSON of " + type.getName() + "; see the cause",
          e);
    }
  }

  private static <T> T present(@Nullable T value, Class<T> type) {
    if (value == null) {
      throw new PayloadException("payload: JSON null (expected: " + type.getName() + ")");
    }
    return value;
  }
}
