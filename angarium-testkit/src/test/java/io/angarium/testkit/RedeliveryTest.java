package io.angarium.testkit;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.inbox.InboxKey;
import io.angarium.testkit.memory.InMemoryInbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RedeliveryTest {
  private static final List<String> ORDERS =
      IntStream.range(0, 40).mapToObj(i -> "order-" + i).toList();

  private final InMemoryInbox inbox = new InMemoryInbox();
  private final FailurePoint middle = new FailurePoint();
  private final List<String> received = Collections.synchronizedList(new ArrayList<>());

  private boolean once(String order) {
    received.add(order);
    return inbox.process(
        InboxKey.of("stock", order),
        writes -> {
          writes.add(order);
          middle.pass();
        });
  }

  private long effects(String order) {
    return Collections.frequency(inbox.written(), order);
  }

  @Test
  void eachMessageIsDeliveredSeveralTimesInMixedOrder() {
    Deliveries<String> deliveries = Redelivery.of(ORDERS).times(3).to(this::once);

    deliveries.assertOnce(this::effects);
    assertThat(deliveries.succeeded()).isEqualTo(120);
    assertThat(deliveries.failed()).isZero();
    assertThat(ORDERS).allMatch(order -> Collections.frequency(received, order) == 3);
    assertThat(received.subList(0, 40)).isNotEqualTo(ORDERS);
  }

  @Test
  void orderIsThatOfTheSeed() {
    Redelivery.of(ORDERS).to(this::once);
    List<String> first = List.copyOf(received);
    received.clear();
    Redelivery.of(ORDERS).to(this::once);
    assertThat(received).isEqualTo(first);
    received.clear();
    Redelivery.of(ORDERS).seed(2).to(this::once);
    assertThat(received).isNotEqualTo(first);
  }

  @Test
  void listenerThatRepeatsItsEffectIsFoundAndItsMessagesNamed() {
    List<String> effects = new ArrayList<>();

    Deliveries<String> deliveries = Redelivery.of(List.of("a", "b")).seed(7).to(effects::add);

    assertThatThrownBy(() -> deliveries.assertOnce(order -> Collections.frequency(effects, order)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(
            "4 deliveries and 0 failures (seed 7)", "2 times: a\n  2 times: b");
    assertThatThrownBy(() -> deliveries.assertOnce(order -> 0)).hasMessageContaining("0 times: a");
  }

  @Test
  void firstDeliveryFailsInTheMiddleOfTheListener() {
    Deliveries<String> deliveries = Redelivery.of(ORDERS).times(2).failingAt(middle).to(this::once);

    deliveries.assertOnce(this::effects);
    assertThat(deliveries.failed()).isEqualTo(40);
    assertThat(deliveries.succeeded()).isEqualTo(80);
    assertThat(received).hasSize(120);
    middle.pass();
  }

  @Test
  void effectThatStaysWhenItsListenerFailsIsFound() {
    List<String> effects = new ArrayList<>();
    Set<String> known = new HashSet<>();
    Deliveries<String> deliveries =
        Redelivery.of(ORDERS)
            .failingAt(middle)
            .to(
                order -> {
                  if (!known.contains(order)) {
                    effects.add(order);
                    middle.pass();
                    known.add(order);
                  }
                });

    assertThatThrownBy(() -> deliveries.assertOnce(order -> Collections.frequency(effects, order)))
        .hasMessageContaining("2 times: order-0");
  }

  @Test
  void listenerThatDoesNotPassTheFailurePointIsTold() {
    Redelivery<String> failing = Redelivery.of(ORDERS).failingAt(middle);
    Redelivery.Listener<String> elsewhere = order -> runAsync(middle::pass).get();
    failing.to(this::once); // of an earlier run nothing is known

    for (Redelivery<String> deliveries : List.of(failing, failing.threads(2))) {
      assertThatThrownBy(() -> deliveries.to(received::add))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("does not pass the failure point");
      assertThatThrownBy(() -> deliveries.to(elsewhere))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("not on its own thread");
    }
  }

  @Test
  void repeatsThatOvertakeEveryFirstDeliveryLeaveNothingToFail() {
    CountDownLatch overtaken = new CountDownLatch(1);

    Deliveries<String> deliveries =
        Redelivery.of(List.of("a"))
            .threads(2)
            .failingAt(middle)
            .to(
                order -> {
                  try {
                    middle.pass();
                    overtaken.countDown();
                  } catch (FailurePoint.PlannedFailure e) { // in the first delivery, which waits
                    assertThat(overtaken.await(60, TimeUnit.SECONDS)).isTrue();
                  }
                });

    assertThat(deliveries.failed()).isZero();
    assertThat(deliveries.succeeded()).isEqualTo(2);
  }

  @Test
  void firstDeliveryIsUndoneByTheTest() {
    Deliveries<String> deliveries =
        Redelivery.of(ORDERS)
            .failingFirst(
                (order, listener) -> {
                  inbox.losingCommitAnswers(true);
                  try {
                    listener.receive(order);
                  } finally {
                    inbox.losingCommitAnswers(false);
                  }
                })
            .to(this::once);

    deliveries.assertOnce(this::effects);
    assertThat(deliveries.failed()).isEqualTo(40);
  }

  @Test
  void severalDeliveriesAtOnceThoseOfOneMessageToo() {
    CyclicBarrier allThreads = new CyclicBarrier(8);
    ThreadLocal<Boolean> met = ThreadLocal.withInitial(() -> false);

    Redelivery.of(ORDERS)
        .times(8)
        .threads(8)
        .failingAt(middle)
        .to(
            order -> {
              if (!met.get()) { // None goes on before all are in the listener.
                allThreads.await(60, TimeUnit.SECONDS);
                met.set(true);
              }
              once(order);
            })
        .assertOnce(this::effects);
  }

  @Test
  void messageThatAlwaysFailsIsToldWithItsReason() {
    AtomicInteger deliveries = new AtomicInteger();
    Redelivery<String> one = Redelivery.of(List.of("poison"));

    assertThatThrownBy(
            () ->
                one.to(
                    order -> {
                      deliveries.incrementAndGet();
                      throw new IOException("planned");
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll("Failed 100 times (seed 1): poison", "planned")
        .hasCauseInstanceOf(IOException.class);
    assertThat(deliveries).hasValue(100);
    assertThatThrownBy(
            () ->
                one.threads(2)
                    .to(
                        order -> {
                          throw new IOException("planned");
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("poison");
  }

  @Test
  void assertionOfTheListenerEndsTheRun() {
    assertThatThrownBy(
            () ->
                Redelivery.of(ORDERS)
                    .to(
                        order -> {
                          throw new AssertionError("wrong");
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessage("wrong");
  }

  @Test
  void numbersOutsideOfTheirLimitsAreRefused() {
    assertThatThrownBy(() -> Redelivery.of(ORDERS).times(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("times: 0 (expected: 1..1000)");
    assertThatThrownBy(() -> Redelivery.of(ORDERS).threads(65))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
