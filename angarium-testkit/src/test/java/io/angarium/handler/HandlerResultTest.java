package io.angarium.handler;

import static io.angarium.handler.HandlerScene.text;
import static io.angarium.handler.HandlerScene.throwing;
import static io.angarium.handler.HandlerScene.writing;
import static io.angarium.transport.SendResult.ACKNOWLEDGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.StoreException;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a message, by what its handler and its inbox do. */
class HandlerResultTest {

  @Test
  void messageIsGivenToTheHandlerOfItsNameWithAllItsParts() {
    List<Delivery> deliveries = Collections.synchronizedList(new ArrayList<>());
    try (HandlerScene scene =
        HandlerScene.of(
            writing("other"),
            NamedHandler.of("orders", (writes, delivery) -> deliveries.add(delivery)))) {
      StoredMessage message = scene.message("orders", "4711", "paid");
      StoredMessage again =
          new StoredMessage(
              message.position(), message.id(), message.message(), 3, message.createdAt());

      assertThat(scene.deliver(again)).isEqualTo(ACKNOWLEDGED);

      assertThat(deliveries)
          .containsExactly(new Delivery(message.id(), message.message(), 3, message.createdAt()));
      assertThat(scene.inbox.written()).isEmpty();
    }
  }

  @Test
  void messageThatComesAgainIsAcknowledgedWithoutItsHandler() {
    AtomicInteger calls = new AtomicInteger();
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              calls.incrementAndGet();
              writes.add(text(delivery));
            });
    try (HandlerScene scene = HandlerScene.of(handler)) {
      StoredMessage message = scene.message("orders", "paid");

      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);

      assertThat(calls).hasValue(1);
      assertThat(scene.inbox.written()).containsExactly("paid");
    }
  }

  @Test
  void handlersProcessTheSameMessageIndependently() {
    try (HandlerScene scene = HandlerScene.of(writing("orders"), writing("stock"))) {
      StoredMessage message = scene.message("orders", "paid");
      StoredMessage sameId =
          new StoredMessage(
              message.position(),
              message.id(),
              scene.message("stock", "reserve").message(),
              0,
              message.createdAt());

      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.deliver(sameId)).isEqualTo(ACKNOWLEDGED);

      assertThat(scene.inbox.written()).containsExactly("paid", "reserve");
    }
  }

  @Test
  void handlerThatThrowsFailsTheMessageAndLeavesNothing() {
    AtomicInteger calls = new AtomicInteger();
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              writes.add(text(delivery));
              if (calls.incrementAndGet() == 1) {
                throw new IOException("planned");
              }
            });
    try (HandlerScene scene = HandlerScene.of(handler)) {
      StoredMessage message = scene.message("orders", "paid");

      assertFailed(scene.deliver(message)).isEqualTo("handler orders failed: IOException: planned");
      assertThat(scene.inbox.written()).isEmpty();

      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("paid");
    }
  }

  @Test
  void reasonsAreOneLineOfLimitedLengthAndNeverEmpty() {
    NamedHandler handler =
        throwing(
            "orders",
            (writes, delivery) -> {
              throw switch (text(delivery)) {
                case "long" -> new IllegalStateException("x".repeat(100_000));
                case "lines" -> new IllegalStateException("a\r\nb\u0000c");
                default -> new IllegalStateException();
              };
            });
    try (HandlerScene scene = HandlerScene.of(handler)) {
      assertFailed(scene.deliver(scene.message("orders", "long"))).hasSizeLessThan(1_000);
      assertFailed(scene.deliver(scene.message("orders", "lines"))).endsWith("Exception: a b c");
      assertFailed(scene.deliver(scene.message("orders", "none")))
          .isEqualTo("handler orders failed: IllegalStateException");
    }
  }

  @Test
  void handlerMayRefuseAMessageForGood() {
    NamedHandler handler =
        throwing(
            "orders",
            (writes, delivery) -> {
              throw new RefusedByHandlerException("order 4711 was never placed; correct the id");
            });
    try (HandlerScene scene = HandlerScene.of(handler)) {

      SendResult result = scene.deliver(scene.message("orders", "paid"));

      assertThat(result)
          .asInstanceOf(type(Refused.class))
          .extracting(Refused::reason)
          .isEqualTo(
              "handler orders refused the message: order 4711 was never placed; correct the id");
      assertThat(scene.inbox.written()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        AssertionError.class,
        OutOfMemoryError.class,
        StackOverflowError.class,
        LinkageError.class
      })
  void errorsOfAHandlerFailTheMessageAndItsThreadGoesOn(Class<? extends Error> error) {
    NamedHandler handler =
        throwing(
            "orders",
            (writes, delivery) -> {
              throw error.getConstructor().newInstance();
            });
    HandlerConfig one = HandlerConfig.DEFAULTS.threads(1);
    try (HandlerScene scene = new HandlerScene(one, handler, writing("other"))) {
      for (int i = 0; i < 3; i++) {
        assertFailed(scene.deliver(scene.message("orders", "paid")))
            .isEqualTo("handler orders failed: " + error.getSimpleName());
      }
      assertThat(scene.inbox.written()).isEmpty();
    }
  }

  /** Even if the exception cannot be asked what it means. */
  @Test
  void exceptionThatThrowsItselfStillGivesAResult() {
    NamedHandler handler =
        throwing(
            "orders",
            (writes, delivery) -> {
              throw new IllegalStateException() {
                private static final long serialVersionUID = 1L;

                @Override
                public String getMessage() {
                  throw new IllegalArgumentException("planned");
                }
              };
            });
    HandlerConfig one = HandlerConfig.DEFAULTS.threads(1);
    try (HandlerScene scene = new HandlerScene(one, handler)) {
      assertFailed(scene.deliver(scene.message("orders", "a"))).contains("could not be told");
      assertFailed(scene.deliver(scene.message("orders", "b"))).contains("could not be told");
    }
  }

  @Test
  void interruptOfAHandlerStaysWithItsMessage() {
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              writes.add(text(delivery) + Thread.currentThread().isInterrupted());
              Thread.currentThread().interrupt();
            });
    HandlerConfig one = HandlerConfig.DEFAULTS.threads(1);
    try (HandlerScene scene = new HandlerScene(one, handler)) {
      assertThat(scene.deliver(scene.message("orders", "a"))).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.deliver(scene.message("orders", "b"))).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("afalse", "bfalse");
    }
  }

  @Test
  void messageOfAHandlerThatIsNotHereFailsWithTheNamesOfThoseThatAre() {
    try (HandlerScene scene = HandlerScene.of(writing("stock"), writing("orders"))) {
      assertFailed(scene.deliver(scene.message("order", "paid")))
          .isEqualTo(
              "this application has no handler 'order' (it has [orders, stock]); add it, or correct"
                  + " the destination. Perhaps another node has it");
    }
  }

  @Test
  void databaseThatIsAwayMakesMessagesUnavailable() {
    AtomicInteger calls = new AtomicInteger();
    NamedHandler handler = NamedHandler.of("orders", (writes, delivery) -> calls.incrementAndGet());
    try (HandlerScene scene = HandlerScene.of(handler)) {
      scene.inbox.unreachable(true);
      StoredMessage message = scene.message("orders", "paid");

      assertThat(scene.deliver(message))
          .asInstanceOf(type(Unavailable.class))
          .extracting(Unavailable::reason)
          .isEqualTo(
              "handler orders was not called, as its inbox failed: The inbox in memory is away");
      assertThat(calls).hasValue(0);

      scene.inbox.unreachable(false);
      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);
    }
  }

  /** Else a message whose writes the database refuses at the commit would come for ever. */
  @Test
  void commitThatFailsCostsAnAttempt() {
    HandlerScene[] held = new HandlerScene[1];
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              writes.add(text(delivery));
              held[0].inbox.unreachable(true);
            });
    try (HandlerScene scene = HandlerScene.of(handler)) {
      held[0] = scene;

      assertFailed(scene.deliver(scene.message("orders", "paid")))
          .startsWith("handler orders has run, but its transaction did not commit: ");
      assertThat(scene.inbox.written()).isEmpty();
    }
  }

  @Test
  void lostAnswerOfACommitIsFollowedByADuplicate() {
    try (HandlerScene scene = HandlerScene.of(writing("orders"))) {
      scene.inbox.losingCommitAnswers(true);
      StoredMessage message = scene.message("orders", "paid");

      assertFailed(scene.deliver(message)).contains("did not commit");
      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);

      assertThat(scene.inbox.written()).containsExactly("paid");
    }
  }

  /** What a handler throws is its own affair: it must use up the attempts of the message. */
  @Test
  void exceptionOfAStoreFromAHandlerIsAFailure() {
    NamedHandler handler =
        throwing(
            "orders",
            (writes, delivery) -> {
              throw new StoreException("another database", null);
            });
    try (HandlerScene scene = HandlerScene.of(handler)) {
      assertFailed(scene.deliver(scene.message("orders", "paid"))).contains("another database");
    }
  }

  @Test
  void messageThatIsProcessedElsewhereFailsAndItsNeighboursGoThrough() throws Exception {
    try (HandlerScene scene = HandlerScene.of(writing("orders"))) {
      StoredMessage message = scene.message("orders", "paid");
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch end = new CountDownLatch(1);
      CompletableFuture<Boolean> elsewhere =
          CompletableFuture.supplyAsync(
              () ->
                  scene.inbox.process(
                      HandlerScene.key(message),
                      writes -> {
                        writes.add("elsewhere");
                        begun.countDown();
                        HandlerScene.await(end);
                      }));
      HandlerScene.await(begun);

      assertFailed(scene.deliver(message)).startsWith("handler orders was not called: ");
      assertThat(scene.deliver(scene.message("orders", "next"))).isEqualTo(ACKNOWLEDGED);

      end.countDown();
      assertThat(elsewhere.get()).isTrue();
      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("next", "elsewhere");
    }
  }

  @Test
  void receiverOfResultsThatThrowsStopsNothing() {
    HandlerConfig one = HandlerConfig.DEFAULTS.threads(1);
    try (HandlerScene scene = new HandlerScene(one, writing("orders"))) {
      scene.transport.send(
          List.of(scene.message("orders", "a"), scene.message("unknown", "b")),
          (message, result) -> {
            throw new IllegalStateException("planned");
          });

      assertThat(scene.deliver(scene.message("orders", "c"))).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("a", "c");
    }
  }

  private static AbstractStringAssert<?> assertFailed(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString();
  }
}
