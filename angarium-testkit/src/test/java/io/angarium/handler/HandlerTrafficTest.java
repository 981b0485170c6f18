package io.angarium.handler;

import static io.angarium.handler.HandlerScene.await;
import static io.angarium.handler.HandlerScene.result;
import static io.angarium.handler.HandlerScene.text;
import static io.angarium.handler.HandlerScene.waiting;
import static io.angarium.handler.HandlerScene.writing;
import static io.angarium.transport.SendResult.ACKNOWLEDGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads, queues and time limits of handlers, and what is left at the end. */
class HandlerTrafficTest {
  private static final HandlerConfig TWO = HandlerConfig.DEFAULTS.threads(2);
  private static final HandlerConfig ONE = HandlerConfig.DEFAULTS.threads(1);

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void letHandlersEnd() {
    end.countDown();
  }

  /** Each handler has so many at work at a time, and not one more. */
  @Test
  void handlerProcessesAsManyAtATimeAsItHasThreads() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Semaphore inside = new Semaphore(0);
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              inside.release();
              await(end);
              now.decrementAndGet();
            });
    try (HandlerScene scene = new HandlerScene(HandlerConfig.DEFAULTS.threads(3), handler)) {
      List<CompletableFuture<SendResult>> results = sendAll(scene, "orders", 10);
      acquire(inside, 3);

      end.countDown();

      assertThat(results).allSatisfy(each -> assertThat(result(each)).isEqualTo(ACKNOWLEDGED));
      assertThat(most).hasValue(3);
    }
  }

  @Test
  void slowHandlerTakesNothingFromTheOthers() {
    HandlerConfig small = TWO.waiting(5);
    try (HandlerScene scene =
        new HandlerScene(small, waiting("slow", begun, end), writing("quick"))) {
      List<CompletableFuture<SendResult>> slow = sendAll(scene, "slow", 20);
      await(begun);

      for (int i = 0; i < 100; i++) {
        assertThat(scene.deliver(scene.message("quick", "q"))).isEqualTo(ACKNOWLEDGED);
      }

      assertThat(slow.stream().filter(each -> !each.isDone())).hasSize(7);
      assertThat(scene.inbox.written()).hasSize(100).containsOnly("q");
      end.countDown();
    }
  }

  @Test
  void messagesOverTheLimitAreUnavailableAtOnce() {
    try (HandlerScene scene = new HandlerScene(ONE.waiting(3), waiting("orders", begun, end))) {
      CompletableFuture<SendResult> running = scene.send(scene.message("orders", "running"));
      await(begun);
      List<CompletableFuture<SendResult>> waiting = sendAll(scene, "orders", 3);

      CompletableFuture<SendResult> over = scene.send(scene.message("orders", "over"));

      assertThat(over).isDone();
      assertUnavailable(result(over))
          .isEqualTo("handler orders takes messages more slowly than they come: 3 wait for it");
      end.countDown();
      assertThat(result(running)).isEqualTo(ACKNOWLEDGED);
      assertThat(waiting).allSatisfy(each -> assertThat(result(each)).isEqualTo(ACKNOWLEDGED));
      assertThat(scene.inbox.written()).doesNotContain("over");
    }
  }

  @Test
  void messageThatWaitsTooLongIsUnavailableAndNeverBegins() {
    HandlerConfig config = ONE.hold(Duration.ofSeconds(3)).timeout(Duration.ofSeconds(60));
    try (HandlerScene scene = new HandlerScene(config, waiting("orders", begun, end))) {
      CompletableFuture<SendResult> running = scene.send(scene.message("orders", "running"));
      await(begun);
      CompletableFuture<SendResult> early = scene.send(scene.message("orders", "early"));
      scene.clock.advance(Duration.ofMillis(2_999));
      CompletableFuture<SendResult> late = scene.send(scene.message("orders", "late"));
      scene.clock.advance(Duration.ofMillis(1));

      assertUnavailable(result(early))
          .isEqualTo("handler orders had no thread free for 3s; it is slow, or hangs");
      assertThat(running).isNotDone();
      assertThat(late).isNotDone();

      end.countDown();
      assertThat(result(running)).isEqualTo(ACKNOWLEDGED);
      assertThat(result(late)).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("running", "late");
    }
  }

  @Test
  void handlerThatHangsFailsItsMessageAtTheLimitAndBindsItsThreadOnly() {
    HandlerConfig config = TWO.timeout(Duration.ofSeconds(7));
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              writes.add(text(delivery));
              if (text(delivery).equals("hangs")) {
                begun.countDown();
                await(end);
              }
            });
    try (HandlerScene scene = new HandlerScene(config, handler)) {
      StoredMessage hanging = scene.message("orders", "hangs");
      CompletableFuture<SendResult> hung = scene.send(hanging);
      await(begun);
      scene.clock.advance(Duration.ofMillis(6_999));
      assertThat(scene.deliver(scene.message("orders", "a"))).isEqualTo(ACKNOWLEDGED);
      assertThat(hung).isNotDone();

      scene.clock.advance(Duration.ofMillis(1));

      assertFailed(result(hung))
          .isEqualTo("handler orders has not ended after 7s; its thread is bound until it ends");
      assertThat(scene.deliver(scene.message("orders", "b"))).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("a", "b");
      end.countDown();
    }
  }

  /** It would wait in the inbox for the first attempt, and so bind one thread more each time. */
  @Test
  void messageWhoseAttemptHangsComesAgainInVainUntilThatHasEnded() {
    AtomicInteger calls = new AtomicInteger();
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              calls.incrementAndGet();
              writes.add(text(delivery));
              begun.countDown();
              await(end);
            });
    try (HandlerScene scene = new HandlerScene(TWO, handler)) {
      StoredMessage message = scene.message("orders", "paid");
      CompletableFuture<SendResult> hung = scene.send(message);
      await(begun);
      scene.clock.advance(TWO.timeout());
      assertFailed(result(hung)).contains("has not ended");

      CompletableFuture<SendResult> again = scene.send(message);

      assertThat(again).isDone();
      assertFailed(result(again)).contains("still busy with an earlier attempt of the message");
      end.countDown();
      scene.transport.close();
      assertThat(scene.inbox.written()).containsExactly("paid");
      assertThat(calls).hasValue(1);
    }
  }

  @Test
  void messageWhoseHangingAttemptCommittedAfterAllIsADuplicate() {
    NamedHandler handler =
        NamedHandler.of(
            "orders",
            (writes, delivery) -> {
              writes.add(text(delivery));
              begun.countDown();
              await(end);
            });
    try (HandlerScene scene = new HandlerScene(ONE, handler)) {
      StoredMessage message = scene.message("orders", "paid");
      CompletableFuture<SendResult> hung = scene.send(message);
      await(begun);
      scene.clock.advance(ONE.timeout());
      assertFailed(result(hung)).contains("has not ended");

      end.countDown();
      assertThat(scene.deliver(scene.message("orders", "next"))).isEqualTo(ACKNOWLEDGED);

      assertThat(scene.deliver(message)).isEqualTo(ACKNOWLEDGED);
      assertThat(scene.inbox.written()).containsExactly("paid", "next");
    }
  }

  @Test
  void allResultsAreThereWithinTheTimeThatIsStated() {
    try (HandlerScene scene = new HandlerScene(ONE, waiting("orders", begun, end))) {
      assertThat(scene.transport.resultMax()).isEqualTo(Duration.ofSeconds(16));
      assertThat(scene.transport.blockingMax()).isZero();
      List<CompletableFuture<SendResult>> results = sendAll(scene, "orders", 50);
      await(begun);

      scene.clock.advance(ONE.hold()).advance(ONE.timeout());

      assertThat(CompletableFuture.allOf(results.toArray(new CompletableFuture<?>[0])))
          .succeedsWithin(HandlerScene.PATIENCE);
      assertThat(results).noneMatch(each -> each.join() == ACKNOWLEDGED);
      end.countDown();
    }
  }

  @Test
  void flushWaitsForTheHandlersAndEndsAtItsTimeout() {
    try (HandlerScene scene = new HandlerScene(ONE, waiting("orders", begun, end))) {
      List<CompletableFuture<SendResult>> results = sendAll(scene, "orders", 3);
      await(begun);

      scene.transport.flush(Duration.ofMillis(50));
      assertThat(results).noneMatch(CompletableFuture::isDone);

      end.countDown();
      scene.transport.flush(HandlerScene.PATIENCE);
      assertThat(results).allMatch(CompletableFuture::isDone);
    }
  }

  @Test
  void closeLetsHandlersEndAndNoneBegin() {
    HandlerScene scene = new HandlerScene(ONE, waiting("orders", begun, end));
    CompletableFuture<SendResult> running = scene.send(scene.message("orders", "running"));
    await(begun);
    List<CompletableFuture<SendResult>> waiting = sendAll(scene, "orders", 5);
    CompletableFuture<Void> closed = CompletableFuture.runAsync(scene::close);
    waiting.forEach(each -> assertFailed(result(each)).contains("was closed before"));
    assertThat(closed).isNotDone();

    end.countDown();

    assertThat(closed).succeedsWithin(HandlerScene.PATIENCE);
    assertThat(result(running)).isEqualTo(ACKNOWLEDGED);
    assertThat(scene.inbox.written()).containsExactly("running");
  }

  @Test
  @Timeout(60)
  void closeDoesNotWaitForEverForAHandlerThatHangs() {
    HandlerScene scene = new HandlerScene(ONE, waiting("orders", begun, end));
    CompletableFuture<SendResult> hanging = scene.send(scene.message("orders", "hangs"));
    await(begun);

    scene.close();
    scene.close();

    assertThat(hanging).isDone();
    assertFailed(result(hanging)).contains("closed while its handler ran");
    assertUnavailable(scene.deliver(scene.message("orders", "late"))).contains("closed");
  }

  @Test
  void messagesAreTakenInTheOrderInWhichTheyCame() {
    try (HandlerScene scene = new HandlerScene(ONE, writing("orders"))) {
      List<CompletableFuture<SendResult>> results = sendAll(scene, "orders", 200);

      results.forEach(each -> assertThat(result(each)).isEqualTo(ACKNOWLEDGED));

      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        expected.add("orders " + i);
      }
      assertThat(scene.inbox.written()).isEqualTo(expected);
    }
  }

  private static List<CompletableFuture<SendResult>> sendAll(
      HandlerScene scene, String handler, int count) {
    List<CompletableFuture<SendResult>> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      results.add(scene.send(scene.message(handler, handler + " " + i)));
    }
    return results;
  }

  private static void acquire(Semaphore semaphore, int permits) {
    try {
      assertThat(semaphore.tryAcquire(permits, HandlerScene.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static AbstractStringAssert<?> assertFailed(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Failed.class))
        .extracting(Failed::reason)
        .asString();
  }

  private static AbstractStringAssert<?> assertUnavailable(SendResult result) {
    return assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString();
  }
}
