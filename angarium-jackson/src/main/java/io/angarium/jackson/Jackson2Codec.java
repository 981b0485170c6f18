package io.angarium.jackson;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.angarium.ConfigFaults;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** JSON by Jackson 2 ({@code com.fasterxml.jackson}). Thread-safe. */
public final class Jackson2Codec implements PayloadCodec {
  private final ObjectMapper mapper;

  /**
   * Creates a codec on a mapper, whose settings decide how values are written.
   *
   * @param mapper without default typing, which would let a message choose the class it becomes
   * @throws io.angarium.ConfigurationException if the mapper has default typing
   */
  public Jackson2Codec(ObjectMapper mapper) {
    boolean typed =
        mapper.getDeserializationConfig().getDefaultTyper(mapper.constructType(Object.class))
            != null;
    new ConfigFaults()
        .require(!typed, "mapper", "default typing is on", "off; name the types in TypeNames")
        .throwIfAny();
    this.mapper = mapper;
  }

  /** {@code application/json}. */
  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public byte[] encode(Object payload) {
    try {
      return mapper.writeValueAsBytes(payload);
    } catch (JsonProcessingException e) {
      throw new PayloadException(
          "payload of "
              + payload.getClass().getName()
              + " cannot be written as JSON; see the cause",
          e);
    }
  }

  @Override
  public <T> T decode(byte[] payload, Class<T> type) {
    return present(read(payload, type), type);
  }

  private <T> @Nullable T read(byte[] payload, Class<T> type) {
    try {
      return mapper.readValue(payload, type);
    } catch (IOException e) {
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
