package io.angarium;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TypedOutboxTest {
  record OrderPaid(String order) {}

  record Other() {}

  private final List<Message> sent = new ArrayList<>();
  private final Outbox outbox =
      message -> {
        sent.add(message);
        return new MessageId(new UUID(0, 1));
      };
  private final TypeNames types =
      TypeNames.builder()
          .type("order-paid", OrderPaid.class)
          .alias("OrderPaidEvent", OrderPaid.class)
          .build();
  private final TypedPayloads payloads = new TypedPayloads(new TextCodec(), types);
  private final TypedOutbox typed = new TypedOutbox(outbox, payloads);

  @Test
  void objectIsSentAsBytesWithItsLogicalNameAndContentType() {
    MessageId id = typed.send("kafka:orders", "4711", new OrderPaid("4711"));

    assertThat(id.value()).isEqualTo(new UUID(0, 1));
    assertThat(sent)
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.payload()).isEqualTo("4711".getBytes(UTF_8));
              assertThat(message.type()).isEqualTo("order-paid");
              assertThat(message.key()).isEqualTo("4711");
              assertThat(message.headers().get("content-type")).isEqualTo("text/plain");
            });
  }

  @Test
  void partsCanBeAddedBeforeSending() {
    typed.send(typed.message("orders", new OrderPaid("1")).header("tenant", "eu"));

    assertThat(sent.get(0).headers().asMap()).containsOnlyKeys("content-type", "tenant");
  }

  @Test
  void unregisteredClassIsRefusedByNameAndNothingIsSent() {
    assertThatThrownBy(() -> typed.send("orders", null, new Other()))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("TypedOutboxTest$Other")
        .hasMessageContaining("TypeNames.builder().type(\"<name>\", Other.class)");
    assertThat(sent).isEmpty();
  }

  @Test
  void nullObjectIsRefused() {
    assertThatThrownBy(() -> typed.send("orders", null, null))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage("payload: null (expected: an object)");
    assertThatThrownBy(() -> typed.send(null, null, new OrderPaid("1")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessage("destination: null (expected: a destination)");
  }

  @Test
  void renamedTypeIsReadByItsAlias() {
    byte[] bytes = "7".getBytes(UTF_8);

    assertThat(payloads.read("order-paid", bytes)).isEqualTo(new OrderPaid("7"));
    assertThat(payloads.read("OrderPaidEvent", bytes, OrderPaid.class))
        .isEqualTo(new OrderPaid("7"));
  }

  @Test
  void unknownOrMissingTypeIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(() -> payloads.read("java.lang.Runtime", new byte[0]))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining(
            "'java.lang.Runtime' (expected: one of [OrderPaidEvent, order-paid])");
    assertThatThrownBy(() -> payloads.read(null, new byte[0]))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("payload type: none");
  }

  @Test
  void typeOfAnotherClassThanExpectedIsRefused() {
    assertThatThrownBy(() -> payloads.read("order-paid", new byte[0], Other.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("OrderPaid")
        .hasMessageContaining("expected: " + Other.class.getName());
  }

  @Test
  void everyNameAndClassRegisteredTwiceIsReportedAtOnce() {
    TypeNames.Builder builder =
        TypeNames.builder()
            .type("a", OrderPaid.class)
            .type("b", OrderPaid.class)
            .type("a", Other.class)
            .type(" ", Other.class)
            .alias("c", String.class);

    assertThatThrownBy(builder::build)
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.faults()).hasSize(5));
  }

  @Test
  void messageOfAnotherPartOfTheApplicationIsReadWithItsHeaders() {
    Message received = payloads.toMessage("handler:stock", new OrderPaid("7"));

    assertThat(payloads.read(received, OrderPaid.class)).isEqualTo(new OrderPaid("7"));
    assertThatThrownBy(() -> payloads.read(received.type("other"), OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("'other'");
  }

  @Test
  void codecMayNameTheTypeItselfAndNeedNotRead() {
    PayloadCodec writer =
        (destination, payload) -> Message.of(destination, "x").type("of " + destination.address());
    TypedPayloads writing = new TypedPayloads(writer, TypeNames.builder().build());

    assertThat(writing.toMessage("kafka:orders", new Other()).type()).isEqualTo("of orders");
    assertThatThrownBy(
            () -> new TypedPayloads(writer, types).read("order-paid", new byte[0], OrderPaid.class))
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("only writes payloads")
        .hasMessageContaining(OrderPaid.class.getName());
  }

  private static final class TextCodec implements PayloadCodec {
    @Override
    public Message encode(Destination destination, Object payload) {
      String text = payload instanceof OrderPaid paid ? paid.order() : payload.toString();
      return Message.of(destination, text).header(TypedPayloads.CONTENT_TYPE_HEADER, "text/plain");
    }

    @Override
    public <T> T decode(Headers headers, byte[] payload, Class<T> type) {
      return type.cast(new OrderPaid(new String(payload, UTF_8)));
    }
  }
}
