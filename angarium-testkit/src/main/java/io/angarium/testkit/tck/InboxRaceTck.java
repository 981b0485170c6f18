package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.InboxScene.atOnce;
import static io.angarium.testkit.tck.InboxScene.await;
import static io.angarium.testkit.tck.InboxScene.key;
import static io.angarium.testkit.tck.InboxScene.keys;
import static io.angarium.testkit.tck.InboxScene.line;
import static io.angarium.testkit.tck.InboxScene.redelivering;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Deliveries at the same time. A delivery that meets another one comes again, as a broker would
 * redeliver it. Part of {@link InboxTck}.
 *
 * @param <C> what gives access to a transaction
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface InboxRaceTck<C> extends InboxFixtureTck<C> {

  @Test
  default void ofEightDeliveriesAtOnceOneRuns() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    List<Inbox<C>> processes =
        List.of(fixture().inbox(), fixture().another(), fixture().inbox(), fixture().another());
    for (int round = 0; round < 20; round++) {
      InboxKey key = key("race-" + round);
      List<Callable<Boolean>> deliveries = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Inbox<C> inbox = processes.get(i % 4);
        deliveries.add(() -> redelivering(() -> scene.write(inbox, key, line(key))));
      }

      List<Boolean> ran = atOnce(deliveries);

      assertThat(ran).containsOnlyOnce(true);
      assertThat(fixture().written()).containsOnlyOnce(line(key));
    }
  }

  @Test
  default void ofEightDeliveriesAtOnceOneTakesEffectThoughThreeFail() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    List<String> done = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      InboxKey key = key("race-" + round);
      AtomicInteger begun = new AtomicInteger();
      List<Callable<Boolean>> deliveries =
          Collections.nCopies(8, () -> redelivering(() -> writeFromTheFourth(key, begun)));

      List<Boolean> ran = atOnce(deliveries);

      assertThat(ran).containsOnlyOnce(true);
      assertThat(begun).hasValue(4);
      done.add(line(key));
      failed.addAll(Collections.nCopies(3, line(key)));
      scene.assertWritten(done, failed);
    }
  }

  /** A delivery whose work failed is told as one that is to come again. */
  private boolean writeFromTheFourth(InboxKey key, AtomicInteger begun) {
    try {
      return fixture()
          .inbox()
          .process(
              key,
              transaction -> {
                fixture().write(transaction, line(key));
                if (begun.incrementAndGet() < 4) {
                  throw new IOException("planned");
                }
              });
    } catch (IOException e) {
      throw new ConcurrentDeliveryException(key.toString(), e);
    }
  }

  /** Or a message would be acknowledged whose work is then rolled back. */
  @Test
  default void deliveryIsNoDuplicateOfOneThatMayStillFail() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      CountDownLatch begun = new CountDownLatch(1);
      Future<Boolean> first =
          threads.submit(() -> fixture().inbox().process(key("1"), openUntil(begun, end, true)));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      Future<Boolean> second =
          threads.submit(
              () -> redelivering(() -> scene.write(fixture().another(), key("1"), "second")));
      assertStaysOpen(second);

      end.countDown();

      assertThat(first).failsWithin(Duration.ofSeconds(60)).withThrowableThat().isNotNull();
      assertThat(await(second)).isTrue();
      scene.assertWritten(List.of("second"), List.of("open"));
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  default void batchIsNoDuplicateOfADeliveryThatMayStillFail() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      CountDownLatch begun = new CountDownLatch(1);
      Future<Boolean> first =
          threads.submit(() -> fixture().inbox().process(key("2"), openUntil(begun, end, true)));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      Future<Set<InboxKey>> second =
          threads.submit(
              () -> redelivering(() -> scene.writeAll(fixture().another(), keys("1", "2", "3"))));
      assertStaysOpen(second);

      end.countDown();

      assertThat(first).failsWithin(Duration.ofSeconds(60)).withThrowableThat().isNotNull();
      assertThat(await(second)).containsExactlyInAnyOrderElementsOf(keys("1", "2", "3"));
      List<String> done = keys("1", "2", "3").stream().map(InboxScene::line).toList();
      scene.assertWritten(done, List.of("open"));
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  /** Or one delivery that hangs would hold up all whom its message is delivered to again. */
  @Test
  default void deliveryThatHangsIsNotWaitedForWithoutAnEnd() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    Inbox<C> impatient = fixture().impatient();
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      CountDownLatch begun = new CountDownLatch(1);
      Future<Boolean> hanging =
          threads.submit(() -> fixture().inbox().process(key("1"), openUntil(begun, end, false)));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      List<InboxKey> many = new ArrayList<>(keys("1"));
      IntStream.range(0, 40).mapToObj(i -> key("many-" + i)).forEach(many::add);

      List<Future<?>> told =
          List.of(
              threads.submit(() -> scene.write(impatient, key("1"), "again")),
              threads.submit(() -> scene.writeAll(impatient, keys("1", "2"))),
              threads.submit(() -> scene.writeAll(impatient, many)));

      for (Future<?> each : told) {
        assertThat(each)
            .failsWithin(Duration.ofSeconds(20)) // what databases wait by themselves is longer
            .withThrowableOfType(ExecutionException.class)
            .withCauseInstanceOf(ConcurrentDeliveryException.class);
      }
      end.countDown();
      assertThat(await(hanging)).isTrue();
      assertThat(scene.write(impatient, key("1"), "again")).isFalse();
      assertThat(scene.writeAll(impatient, keys("1", "2"))).containsExactly(key("2"));
      assertThat(fixture().written()).containsExactlyInAnyOrder("open", line(key("2")));
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  default void otherKeysAreNotWaitedFor() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    Inbox<C> another = fixture().another();
    try {
      CountDownLatch begun = new CountDownLatch(1);
      Future<Boolean> open =
          threads.submit(
              () -> fixture().inbox().process(key("open"), openUntil(begun, end, false)));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

      List<InboxKey> others =
          IntStream.range(0, 50).mapToObj(i -> InboxKey.of("shop", "other-" + i)).toList();
      for (InboxKey other : others) {
        Future<Boolean> ran = threads.submit(() -> scene.write(another, other, line(other)));
        assertThat(await(ran)).isTrue();
      }
      InboxKey sameId = new InboxKey("stock", key("open").id());
      assertThat(await(threads.submit(() -> scene.write(sameId, "stock")))).isTrue();

      end.countDown();
      assertThat(await(open)).isTrue();
      assertThat(fixture().written()).hasSize(52);
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  default void overlappingBatchesInOppositeOrdersTakeEffectOnce() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    Queue<ConcurrentDeliveryException> ended = new ConcurrentLinkedQueue<>();
    List<Inbox<C>> others = List.of(fixture().another(), fixture().another());
    for (int round = 0; round < 20; round++) {
      String prefix = "batch-" + round + "-";
      List<InboxKey> forth = IntStream.range(0, 60).mapToObj(i -> key(prefix + i)).toList();
      List<Callable<Set<InboxKey>>> deliveries = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        List<InboxKey> back = reversed(forth.subList(20 - i, 60));
        deliveries.add(delivery(scene, fixture().inbox(), forth.subList(i, 40 + i), ended));
        deliveries.add(delivery(scene, others.get(i % 2), back, ended));
      }

      List<InboxKey> told = atOnce(deliveries).stream().flatMap(Set::stream).toList();

      assertThat(told).containsExactlyInAnyOrderElementsOf(forth);
      assertThat(fixture().written())
          .hasSize(60 * (round + 1))
          .containsAll(forth.stream().map(InboxScene::line).toList());
    }
    requireNone(ended);
  }

  /** That take their keys as they come, each would wait for what the other one has taken. */
  @Test
  default void batchesInOppositeOrdersThatMeetAnOpenDeliveryTakeEffectOnce() throws Exception {
    InboxScene<C> scene = new InboxScene<>(fixture());
    Queue<ConcurrentDeliveryException> ended = new ConcurrentLinkedQueue<>();
    List<InboxKey> forth = keys("1", "2", "3");
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      CountDownLatch begun = new CountDownLatch(1);
      Future<Boolean> open =
          threads.submit(() -> fixture().inbox().process(key("2"), openUntil(begun, end, false)));
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
      Future<Set<InboxKey>> first =
          threads.submit(delivery(scene, fixture().inbox(), forth, ended));
      Future<Set<InboxKey>> second =
          threads.submit(delivery(scene, fixture().another(), reversed(forth), ended));
      assertStaysOpen(first);
      assertStaysOpen(second);

      end.countDown();

      assertThat(await(open)).isTrue();
      List<InboxKey> told = new ArrayList<>(await(first));
      told.addAll(await(second));
      assertThat(told).containsExactlyInAnyOrderElementsOf(keys("1", "3"));
      assertThat(fixture().written())
          .containsExactlyInAnyOrder("open", line(key("1")), line(key("3")));
      requireNone(ended);
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  private void requireNone(Queue<ConcurrentDeliveryException> ended) {
    if (fixture().batchesOnlyWait()) {
      assertThat(ended).isEmpty();
    }
  }

  private static <C> Callable<Set<InboxKey>> delivery(
      InboxScene<C> scene,
      Inbox<C> inbox,
      Collection<InboxKey> keys,
      Queue<ConcurrentDeliveryException> ended) {
    return () -> redelivering(() -> scene.writeAll(inbox, keys), ended::add);
  }

  private static List<InboxKey> reversed(List<InboxKey> keys) {
    List<InboxKey> reversed = new ArrayList<>(keys);
    Collections.reverse(reversed);
    return reversed;
  }

  /** Work that writes a line and ends when told to. */
  private InboxWork<C, Exception> openUntil(
      CountDownLatch begun, CountDownLatch end, boolean failing) {
    return transaction -> {
      fixture().write(transaction, "open");
      begun.countDown();
      assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
      if (failing) {
        throw new IOException("planned");
      }
    };
  }

  /** Looks for a moment whether a delivery ends that should not. */
  private static void assertStaysOpen(Future<?> delivery) throws Exception {
    try {
      Object result = delivery.get(300, TimeUnit.MILLISECONDS);
      throw new AssertionError("ended with " + result + " while the other one was open");
    } catch (TimeoutException e) {
      // as it should
    } catch (ExecutionException e) {
      throw new AssertionError("failed while the other one was open: " + e.getCause(), e);
    }
  }
}
