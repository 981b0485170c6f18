package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.sun.net.httpserver.HttpExchange;
import io.angarium.http.HttpConfig.Limits;
import io.angarium.http.HttpConfig.Timing;
import io.angarium.intake.StoredMessage;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many requests are under way, who waits, and for how long. */
class HttpTrafficTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int ALL = 1_000;

  private final HookServer server = new HookServer();

  /** As many requests at the slow hook may end. */
  private final Semaphore release = new Semaphore(0);

  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger underWayMost = new AtomicInteger();
  private final CountDownLatch three = new CountDownLatch(3);
  private final Results results = new Results();
  private HttpTransport transport;

  @AfterEach
  void close() {
    release.release(ALL);
    transport.close();
    server.close();
  }

  /** Opens a transport with a slow hook and a fast one. */
  private void open(Limits limits, Duration hold) {
    server.on("/slow", this::slow).on("/fast", 204, "");
    transport =
        HttpTransport.open(
            HttpConfig.of(
                    HttpHook.of("slow", server.url("/slow")),
                    HttpHook.of("fast", server.url("/fast")))
                .timing(new Timing(LONG, LONG, hold, LONG))
                .limits(limits));
  }

  private void slow(HttpExchange exchange) throws IOException {
    underWayMost.accumulateAndGet(underWay.incrementAndGet(), Math::max);
    three.countDown();
    awaitRelease();
    underWay.decrementAndGet();
    HookServer.answer(exchange, 204, "");
  }

  private void awaitRelease() {
    try {
      release.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<StoredMessage> messages(String hook, int count) {
    return Stream.generate(() -> Messages.to(hook)).limit(count).toList();
  }

  private void awaitThreeUnderWay() throws InterruptedException {
    assertThat(three.await(30, TimeUnit.SECONDS)).as("three requests at the slow hook").isTrue();
  }

  @Test
  void slowHookDoesNotHoldUpAnotherOfTheSameHost() throws Exception {
    open(new Limits(3, 6, 100), LONG);
    List<StoredMessage> slow = messages("slow", 50);
    List<StoredMessage> fast = messages("fast", 50);
    transport.send(slow, results);
    awaitThreeUnderWay();

    transport.send(fast, results);

    for (int i = 0; i < fast.size(); i++) {
      assertThat(fast).contains(results.next().message());
    }
    assertThat(slow).noneMatch(results::has);
    release.release(ALL);
    for (int i = 0; i < slow.size(); i++) {
      assertThat(results.next().result()).isEqualTo(SendResult.ACKNOWLEDGED);
    }
    assertThat(underWayMost).hasValue(3);
  }

  @Test
  void hooksTakeTurnsWhereAllTogetherHaveReachedTheLimit() throws Exception {
    open(new Limits(3, 3, 100), LONG);
    transport.send(messages("slow", 50), results);
    awaitThreeUnderWay();
    StoredMessage fast = Messages.to("fast");
    transport.send(List.of(fast), results);

    release.release(10);

    int before = 0;
    while (!results.next().message().equals(fast)) {
      before++;
    }
    assertThat(before).as("results before that of the other hook").isLessThanOrEqualTo(10);
  }

  @Test
  void furtherMessagesAreUnavailableAtOnce() throws Exception {
    open(new Limits(3, 6, 10), LONG);
    transport.send(messages("slow", 3), results);
    awaitThreeUnderWay();
    List<StoredMessage> waiting = messages("slow", 10);
    StoredMessage further = Messages.to("slow");

    transport.send(Stream.concat(waiting.stream(), Stream.of(further)).toList(), results);

    assertThat(results.next().message()).isEqualTo(further);
    assertUnavailable(further)
        .contains("hook 'slow' at ", "more slowly than they come: 10 wait for it already");
    assertThat(waiting).noneMatch(results::has);
  }

  @Test
  void messageThatWaitsTooLongIsUnavailable() throws Exception {
    open(new Limits(3, 6, 100), Duration.ofMillis(300));
    List<StoredMessage> first = messages("slow", 3);
    transport.send(first, results);
    awaitThreeUnderWay();
    StoredMessage late = Messages.to("slow");

    transport.send(List.of(late), results);

    assertThat(results.next().message()).isEqualTo(late);
    assertUnavailable(late).contains("no request to hook 'slow'", "was free for 300ms");
    assertThat(first).noneMatch(results::has);
    release.release(ALL);
    assertThat(first)
        .contains(results.next().message(), results.next().message(), results.next().message());
    assertThat(server.posts("/slow")).as("requests").hasSize(3);
  }

  @Test
  void messagesThatWaitForAReceiverThatIsDownAreUnavailableTogether() {
    open(new Limits(1, 6, 100), LONG);
    AtomicInteger asked = new AtomicInteger();
    server.on(
        "/slow",
        exchange -> {
          asked.incrementAndGet();
          slow(exchange, 503);
        });
    List<StoredMessage> messages = messages("slow", 20);
    transport.send(messages, results);

    release.release(ALL);

    for (int i = 0; i < messages.size(); i++) {
      assertThat(results.next().result()).isInstanceOf(Unavailable.class);
    }
    assertThat(asked).hasValue(1);
  }

  private void slow(HttpExchange exchange, int status) throws IOException {
    awaitRelease();
    HookServer.answer(exchange, status, "");
  }

  @Test
  void closeBreaksOffWhatIsUnderWayAndWhatWaits() throws Exception {
    open(new Limits(3, 6, 100), LONG);
    List<StoredMessage> messages = messages("slow", 10);
    transport.send(messages, results);
    awaitThreeUnderWay();

    transport.close();

    assertThat(messages)
        .allSatisfy(
            message ->
                assertThat(results.of(message))
                    .asInstanceOf(type(Failed.class))
                    .extracting(Failed::reason)
                    .asString()
                    .contains("closed", "perhaps it was sent"));
    StoredMessage late = Messages.to("slow");
    transport.send(List.of(late), results);
    assertUnavailable(late).contains("closed");
    assertThat(server.posts("/slow")).hasSize(3);
  }

  @Test
  void anErrorOfAReceiverCostsNoOtherMessageItsResult() {
    open(new Limits(1, 1, 100), LONG);
    Error error = new StackOverflowError("planted");
    AtomicInteger told = new AtomicInteger();

    assertThatThrownBy(
            () ->
                transport.send(
                    messages("nowhere", 5),
                    (message, result) -> {
                      told.incrementAndGet();
                      throw error;
                    }))
        .isSameAs(error);

    assertThat(told).hasValue(5);
    transport.flush(LONG);
  }

  @Test
  void receiverOfResultsThatThrowsHoldsUpNothing() throws Exception {
    open(new Limits(1, 1, 100), LONG);
    CountDownLatch told = new CountDownLatch(10);
    List<StoredMessage> refusedAtOnce = messages("nowhere", 5);

    transport.send(
        Stream.concat(refusedAtOnce.stream(), messages("fast", 5).stream()).toList(),
        (message, result) -> {
          told.countDown();
          throw new IllegalStateException("planted by this test");
        });

    assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
    transport.flush(Duration.ofSeconds(30));
    assertThat(Messages.result(transport, Messages.to("fast"))).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  private org.assertj.core.api.AbstractStringAssert<?> assertUnavailable(StoredMessage message) {
    return assertThat(results.of(message))
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString();
  }
}
