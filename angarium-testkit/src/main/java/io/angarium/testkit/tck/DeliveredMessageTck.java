package io.angarium.testkit.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.BrokerMessage;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** That the broker has a message as it was sent. Part of {@link TransportTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DeliveredMessageTck extends TransportFixtureTck {

  @Test
  default void everyPartArrives() {
    TransportScene scene = new TransportScene(fixture());

    assertArrives(
        scene,
        Message.of(scene.destination, new byte[] {1, 2, 3})
            .key("4711")
            .type("order-paid")
            .header("tenant", "eu")
            .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .header("empty", ""));
  }

  @Test
  default void absentPartsStayAbsentAndAnEmptyPayloadEmpty() {
    TransportScene scene = new TransportScene(fixture());

    assertArrives(scene, Message.of(scene.destination, new byte[0]));
  }

  @Test
  default void emptyPayloadWithAKeyStaysEmpty() {
    TransportScene scene = new TransportScene(fixture());

    assertArrives(scene, Message.of(scene.destination, new byte[0]).key("4711"));
  }

  @Test
  default void everyByteOfAPayloadArrives() {
    TransportScene scene = new TransportScene(fixture());
    byte[] payload = new byte[256];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }

    assertArrives(scene, Message.of(scene.destination, payload));
  }

  @Test
  default void textOfAnyScriptArrives() {
    TransportScene scene = new TransportScene(fixture());
    String text = "\u8ba2\u5355 \ud83d\udce8 \u0627\u0644\u0637\u0644\u0628 a\u0308 '\"\\ %s ${x}";

    assertArrives(
        scene,
        Message.of(scene.destination, text.getBytes(UTF_8))
            .key(text)
            .type(text)
            .header("\u5934", text + "\n\r:\t end"));
  }

  @Test
  default void largestMessageArrives() {
    TransportScene scene = new TransportScene(fixture());
    MessageLimits limits = MessageLimits.DEFAULTS;
    byte[] payload = new byte[limits.payloadBytesMax()];
    new Random(1).nextBytes(payload);
    Message largest =
        Message.of(scene.destination, payload)
            .key("k".repeat(limits.keyBytesMax()))
            .type("t".repeat(MessageLimits.TYPE_LENGTH_MAX))
            .header("h", "v".repeat(limits.headersBytesMax() - 3));
    limits.check(largest);

    assertArrives(scene, largest);
  }

  @Test
  default void messagesOfOneCallKeepTheirOwnParts() {
    TransportScene scene = new TransportScene(fixture());
    Message bare = Message.of(scene.destination, new byte[] {0});
    List<StoredMessage> sent =
        List.of(
            scene.of(bare.key("a").type("type-a").header("h", "a")),
            scene.of(bare),
            scene.of(bare.key("b").header("other", "b")));

    scene.deliver(sent);

    scene.assertAcknowledged(sent);
    List<BrokerMessage> stored = fixture().stored(scene.destination);
    assertThat(stored).hasSize(3);
    assertThat(sent).allSatisfy(message -> assertStored(message, stored));
  }

  private static void assertArrives(TransportScene scene, Message message) {
    StoredMessage sent = scene.of(message);

    scene.deliver(List.of(sent));

    scene.assertAcknowledged(List.of(sent));
    List<BrokerMessage> stored = scene.fixture.stored(scene.destination);
    assertThat(stored).hasSize(1);
    assertStored(sent, stored);
  }

  private static void assertStored(StoredMessage sent, List<BrokerMessage> stored) {
    assertThat(stored)
        .filteredOn(found -> found.id().equals(sent.id()))
        .singleElement()
        .satisfies(found -> assertSame(found.message(), sent.message()));
  }

  private static void assertSame(Message actual, Message expected) {
    assertThat(actual.destination()).isEqualTo(expected.destination());
    assertThat(actual.key()).isEqualTo(expected.key());
    assertThat(actual.type()).isEqualTo(expected.type());
    assertThat(actual.headers().asMap()).isEqualTo(expected.headers().asMap());
    assertThat(actual.payload()).isEqualTo(expected.payload());
  }
}
