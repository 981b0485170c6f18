package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import io.angarium.PayloadType;
import io.angarium.TypeNames;
import io.angarium.TypedPayloads;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class TypedDeserializerTest {
  sealed interface OrderEvent permits Paid, Cancelled {}

  @PayloadType(value = "order-paid", aliases = "OrderPaidEvent")
  record Paid(String text) implements OrderEvent {}

  @PayloadType("order-cancelled")
  record Cancelled(String text) implements OrderEvent {}

  /** Reads text, with the content type before it. */
  private static final class TextCodec implements PayloadCodec {
    @Override
    public Message encode(Destination destination, Object payload) {
      throw new AssertionError("nothing is written here");
    }

    @Override
    public <T> T decode(Headers headers, byte[] payload, Class<T> type) {
      String text = headers.get("content-type") + " " + new String(payload, UTF_8);
      return type.cast(type == Paid.class ? new Paid(text) : new Cancelled(text));
    }
  }

  private final TypedDeserializer<OrderEvent> events =
      new TypedDeserializer<>(
          new TypedPayloads(new TextCodec(), TypeNames.builder().build()), OrderEvent.class);
  private final RecordHeaders headers = new RecordHeaders();

  private OrderEvent read(String type) {
    headers.add("angarium-type", type.getBytes(UTF_8));
    return events.deserialize("orders", headers, "7".getBytes(UTF_8));
  }

  @Test
  void typeInTheHeaderSaysWhichClassARecordHolds() {
    headers.add("content-type", "text/plain".getBytes(UTF_8));

    assertThat(read("order-paid")).isEqualTo(new Paid("text/plain 7"));
    assertThat(read("order-cancelled")).isEqualTo(new Cancelled("text/plain 7"));
    assertThat(read("OrderPaidEvent")).isEqualTo(new Paid("text/plain 7"));
  }

  @Test
  void recordWithoutAValueIsNull() {
    assertThat(events.deserialize("orders", headers, (byte[]) null)).isNull();
    assertThat(events.deserialize("orders", (byte[]) null)).isNull();
  }

  @Test
  void missingOrUnknownTypeIsRefused() {
    assertThatThrownBy(() -> events.deserialize("orders", headers, new byte[0]))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("payload type: none");
    assertThatThrownBy(() -> events.deserialize("orders", new byte[0]))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("payload type: none");
    assertThatThrownBy(() -> read("java.lang.Runtime"))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("(expected: one of [OrderPaidEvent, order-cancelled, order-paid])");
  }
}
