package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.ORDERS;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.lease.Lease;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** That a message comes back as it was sent. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MessageRoundTripTck extends FixtureTck {

  @Test
  default void everyPartComesBack() {
    StoreScene scene = new StoreScene(fixture());
    Message sent =
        Message.of("fake:orders", new byte[] {1, 2, 3})
            .key(A)
            .type("order-paid")
            .header("tenant", "eu")
            .header("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            .business("order", "4711")
            .createdBy("shop");
    Instant before = fixture().now();

    NewMessage message = scene.of(sent);
    StoredMessage row = scene.commit(message).get(0);

    assertThat(row.id()).isEqualTo(message.id());
    assertThat(row.position().partition()).isEqualTo(message.partition());
    assertThat(row.attempts()).isZero();
    assertThat(row.createdAt()).isBetween(before.minusMillis(1), fixture().now().plusMillis(1));
    assertSame(row.message(), sent);
  }

  @Test
  default void absentPartsStayAbsentAndAnEmptyPayloadEmpty() {
    StoreScene scene = new StoreScene(fixture());
    Message sent = Message.of(ORDERS, new byte[0]);

    StoredMessage row = scene.commit(scene.of(sent)).get(0);

    assertThat(row.isKeyed()).isFalse();
    assertThat(row.message().business()).isNull();
    assertSame(row.message(), sent);
  }

  @Test
  default void everyByteOfAPayloadComesBack() {
    StoreScene scene = new StoreScene(fixture());
    byte[] payload = new byte[256];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    Message sent = Message.of(ORDERS, payload).key(A);

    assertSame(scene.commit(scene.of(sent)).get(0).message(), sent);
  }

  @Test
  default void transactionOfManyLargeMessagesIsWritten() {
    StoreScene scene = new StoreScene(fixture());
    NewMessage[] sent =
        IntStream.range(0, 24)
            .mapToObj(i -> scene.of(Message.of(ORDERS, new byte[1_000_000]).key(A)))
            .toArray(NewMessage[]::new);

    List<StoredMessage> rows = scene.commit(sent);

    assertThat(ids(rows)).isEqualTo(Stream.of(sent).map(NewMessage::id).toList());
  }

  @Test
  default void textOfAnyScriptComesBack() {
    StoreScene scene = new StoreScene(fixture());
    String text =
        "\u8ba2\u5355 \ud83d\udce8 \u0627\u0644\u0637\u0644\u0628 a\u0308 '\"\\ %s ${x} ?";
    Message sent =
        Message.of(new Destination("fake", text), text.getBytes(StandardCharsets.UTF_8))
            .key(text)
            .type(text)
            .header("\u5934", text + "\n\r:\t end")
            .header("empty", "")
            .business(text, text)
            .createdBy(text);

    assertSame(scene.commit(scene.of(sent)).get(0).message(), sent);
  }

  @Test
  default void largestMessageComesBack() {
    StoreScene scene = new StoreScene(fixture());
    MessageLimits limits = MessageLimits.DEFAULTS;
    byte[] payload = new byte[limits.payloadBytesMax()];
    new Random(1).nextBytes(payload);
    Message sent =
        Message.of("fake:" + "d".repeat(Destination.LENGTH_MAX - 5), payload)
            .key("k".repeat(limits.keyBytesMax()))
            .type("t".repeat(MessageLimits.TYPE_LENGTH_MAX))
            .header("h", "v".repeat(limits.headersBytesMax() - 3))
            .business(
                "b".repeat(BusinessKey.TYPE_LENGTH_MAX), "c".repeat(BusinessKey.KEY_LENGTH_MAX))
            .createdBy("u".repeat(MessageLimits.CREATED_BY_LENGTH_MAX));
    limits.check(sent);

    assertSame(scene.commit(scene.of(sent)).get(0).message(), sent);
  }

  @Test
  default void longestTextsInFourByteCharactersComeBack() {
    StoreScene scene = new StoreScene(fixture());
    String four = "\ud83d\udce8"; // two characters, four bytes
    Message sent =
        Message.of("fake:" + four.repeat(250), new byte[0])
            .key(four.repeat(128))
            .type(four.repeat(127))
            .business(new BusinessKey(four.repeat(64), four.repeat(127), Uniqueness.REFUSE))
            .createdBy(four.repeat(64));

    assertSame(scene.commit(scene.of(sent)).get(0).message(), sent);
  }

  @Test
  default void parkingKeepsTheMessage() {
    StoreScene scene = new StoreScene(fixture());
    Message sent = StoreScene.message("x").key(A).type("t").header("h", "v").business("b", "c");
    List<StoredMessage> rows = scene.commit(scene.of(sent.createdBy("me")));
    scene.park(scene.lease(), rows);

    StoredMessage parked = scene.due().get(0);

    assertThat(parked.id()).isEqualTo(rows.get(0).id());
    assertSame(parked.message(), sent.createdBy("me"));
  }

  @Test
  default void deathAndRequeueKeepTheMessage() {
    StoreScene scene = new StoreScene(fixture());
    Message sent = StoreScene.message("x").key(A).type("t").header("h", "v").business("b", "c");
    StoredMessage row = scene.commit(scene.of(sent.createdBy("me"))).get(0);
    scene.bury(scene.lease(), row, false);

    StoredMessage dead = scene.outbox.deadLetters().page(null, null, 10).get(0).message();
    scene.outbox.deadLetters().requeue(List.of(row.id()), "ann");
    StoredMessage again = scene.unsent().get(0);

    assertSame(dead.message(), sent.createdBy("me"));
    assertSame(again.message(), sent.createdBy("me"));
    assertThat(again.id()).isEqualTo(row.id());
  }

  @Test
  default void delayKeepsTheMessage() {
    StoreScene scene = new StoreScene(fixture());
    Lease lease = scene.lease();
    Message sent = StoreScene.message("x").key(A).type("t").header("h", "v").business("b", "c");
    scene.commit(scene.of(sent.createdBy("me").notBefore(fixture().now().plus(SHORT))));
    fixture().letPass(SHORT);

    scene.outbox.enqueueDue(List.of(lease), 10);

    assertSame(scene.unsent().get(0).message(), sent.createdBy("me"));
  }

  private static void assertSame(Message actual, Message expected) {
    assertThat(actual.destination()).isEqualTo(expected.destination());
    assertThat(actual.payload()).isEqualTo(expected.payload());
    assertThat(actual.key()).isEqualTo(expected.key());
    assertThat(actual.type()).isEqualTo(expected.type());
    assertThat(actual.headers()).isEqualTo(expected.headers());
    assertThat(actual.headers().encode()).isEqualTo(expected.headers().encode());
    assertThat(actual.createdBy()).isEqualTo(expected.createdBy());
    BusinessKey wanted = expected.business();
    BusinessKey found = actual.business();
    if (wanted == null || found == null) {
      assertThat(found).isEqualTo(wanted);
    } else {
      assertThat(found.type()).isEqualTo(wanted.type());
      assertThat(found.key()).isEqualTo(wanted.key());
    }
  }
}
