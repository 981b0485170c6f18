package io.angarium.testkit.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PublishedMessagesTest {
  private static final Message PAID =
      Message.of("kafka:orders", "{\"id\":4711}".getBytes(UTF_8))
          .key("4711")
          .type("order-paid")
          .header("tenant", "eu")
          .business("order", "4711");
  private static final Message MAIL = Message.of("kafka:mails", "hello".getBytes(UTF_8));

  private final InMemoryDatabase database = InMemoryDatabase.create();
  private final PublishedMessages published = database.published();

  private void commit(Message... messages) {
    try (Tx tx = database.begin()) {
      tx.outbox().sendAll(List.of(messages));
      tx.commit();
    }
  }

  private static void fails(ThrowingCallable assertion, String... texts) {
    assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContainingAll(texts);
  }

  @Test
  void messagesAreThereOnceTheirTransactionHasCommitted() {
    try (Tx tx = database.begin()) {
      tx.outbox().send(PAID);
      published.isEmpty();
      tx.commit();
    }

    published.containsExactly(ExpectedMessage.to("kafka:orders"));
    assertThat(published.messages()).containsExactly(PAID);
  }

  @Test
  void messagesOfATransactionThatRolledBackAreNot() {
    try (Tx tx = database.begin()) {
      tx.outbox().send(PAID);
    }
    database.faults().failNext(StoreCall.COMMIT);
    assertThatThrownBy(() -> commit(MAIL)).isInstanceOf(RuntimeException.class);

    published.isEmpty();
  }

  @Test
  void delayedMessagesCountAndDroppedOnesDoNot() {
    Message unique = MAIL.business(new BusinessKey("mail", "1", Uniqueness.IGNORE));

    commit(PAID.notBefore(Instant.parse("2030-01-01T00:00:00Z")), unique);
    commit(unique);

    assertThat(published.messages()).hasSize(2);
  }

  @Test
  void whatWasThereBeforeIsNotOfTheWork() throws IOException {
    commit(MAIL);

    published.during(() -> commit(PAID)).containsExactly(ExpectedMessage.to("kafka:orders"));
    published.during(() -> {}).isEmpty();

    assertThatThrownBy(
            () ->
                published.during(
                    () -> {
                      throw new IOException("planned");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(published.messages()).containsExactly(MAIL, PAID);
    published.clear();
    published.isEmpty();
  }

  @Test
  void everyPartThatIsNamedMustBeRight() {
    commit(PAID);

    published.containsExactly(
        ExpectedMessage.to("kafka:orders")
            .key("4711")
            .type("order-paid")
            .header("tenant", "eu")
            .header("missing", null)
            .business("order", "4711")
            .payload("{\"id\":4711}")
            .payload("{\"id\":4711}".getBytes(UTF_8))
            .matching("a short payload", message -> message.payload().length < 20));
    ExpectedMessage order = ExpectedMessage.to("kafka:orders");
    fails(
        () -> published.containsExactly(ExpectedMessage.to("kafka:order")),
        "1. has destination: kafka:orders (expected: kafka:order)");
    fails(() -> published.containsExactly(order.key(null)), "has key: 4711 (expected: null)");
    fails(() -> published.containsExactly(order.type("paid")), "has type: order-paid (");
    fails(() -> published.containsExactly(order.header("tenant", "us")), "has header tenant: eu (");
    fails(
        () -> published.containsExactly(order.business("order", "1")),
        "has business: order/4711 (expected: order/1)");
    fails(() -> published.containsExactly(order.payload("{}")), "has payload: {\"id\":4711} (");
    fails(() -> published.containsExactly(order.payload(new byte[] {1})), "(expected: [1])");
    fails(
        () -> published.containsExactly(order.matching("an empty payload", m -> false)),
        "(expected: an empty payload)");
  }

  @Test
  void exactlyMeansOrderAndNothingElse() {
    commit(PAID, MAIL);
    ExpectedMessage order = ExpectedMessage.to("kafka:orders");
    ExpectedMessage mail = ExpectedMessage.to("kafka:mails");

    published.containsExactly(order, mail);
    fails(() -> published.containsExactly(mail, order), "1. has destination", "2. has destination");
    fails(
        () -> published.containsExactly(order),
        "Expected exactly these, in this order:\n  1. destination kafka:orders",
        "but published:\n  1. destination kafka:orders, key 4711, type order-paid,"
            + " headers {tenant=eu}, payload {\"id\":4711}\n  2. destination kafka:mails",
        "2. is too many: destination kafka:mails, payload hello");
    fails(
        () -> published.containsExactly(order, mail, mail),
        "3. is missing: destination kafka:mails");
    fails(published::isEmpty, "Expected exactly these, in this order:\n  nothing\nbut");
  }

  @Test
  void inAnyOrderEachExpectationHasAMessageOfItsOwn() {
    commit(PAID, PAID.key("4712"), MAIL);
    ExpectedMessage any = ExpectedMessage.to("kafka:orders");
    ExpectedMessage first = any.key("4711");
    ExpectedMessage mail = ExpectedMessage.to("kafka:mails");

    published.containsExactlyInAnyOrder(mail, any, first);
    published.contains(any, first).contains(mail);
    fails(
        () -> published.containsExactlyInAnyOrder(mail, first, first),
        "missing: destination kafka:orders, key 4711",
        "too many: destination kafka:orders, key 4712");
    fails(() -> published.contains(any, any, any), "Expected at least these", "missing: ");
    published.doesNotContain(any.key("4713"));
    fails(() -> published.doesNotContain(any.key("4712")), "unwanted: destination kafka:orders");
  }

  @Test
  void longAndBinaryPayloadsAreNotShown() {
    commit(
        Message.of("kafka:mails", new byte[] {-1, 0, 1}),
        Message.of("kafka:mails", "x".repeat(201).getBytes(UTF_8)));

    assertThat(published).asString().contains("payload of 3 bytes", "payload of 201 bytes");
  }

  @Test
  void recordingOutboxRemembersWhatARealOneWouldTake() {
    RecordingOutbox outbox = new RecordingOutbox();

    assertThat(outbox.send(PAID)).isNotEqualTo(outbox.send(MAIL));
    assertThatThrownBy(() -> outbox.sendAll(List.of(MAIL, MAIL.key("k".repeat(5_000)))))
        .isInstanceOf(InvalidMessageException.class);

    outbox
        .published()
        .containsExactly(ExpectedMessage.to("kafka:orders"), ExpectedMessage.to("kafka:mails"));
    assertThat(new RecordingOutbox().send(PAID)).isEqualTo(new RecordingOutbox().send(PAID));
  }
}
