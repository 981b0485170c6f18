package io.angarium.confirmation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.MessageId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ReceiptsTest {
  private final List<MessageId> arrived = Collections.synchronizedList(new ArrayList<>());

  private static List<MessageId> some(int count) {
    return LongStream.range(0, count).mapToObj(n -> new MessageId(new UUID(0x7000L, n))).toList();
  }

  @Test
  void whatWasProcessedIsSentInBatches() {
    List<Integer> batches = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch allWait = new CountDownLatch(1);
    try (Receipts receipts =
        Receipts.start(
            ids -> {
              allWait.await();
              batches.add(ids.size());
              arrived.addAll(ids);
            })) {
      some(10_000).forEach(receipts::processed);
      allWait.countDown();
    }

    assertThat(arrived).containsExactlyElementsOf(some(10_000));
    assertThat(batches).hasSizeLessThanOrEqualTo(12).allMatch(size -> size <= Receipts.BATCH_MAX);
  }

  @Test
  void receiptsThatCouldNotBeSentAreSentAgain() throws Exception {
    CountDownLatch attempts = new CountDownLatch(2);
    try (Receipts receipts =
        Receipts.start(
            ids -> {
              attempts.countDown();
              if (attempts.getCount() > 0) {
                throw new IOException("away");
              }
              arrived.addAll(ids);
            })) {
      receipts.processed(some(1).get(0));
      assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(arrived).containsExactlyElementsOf(some(1));
  }

  @Test
  void whereAMessageMayNotBeAsLargeFewerAreSentAtOnce() throws Exception {
    CountDownLatch all = new CountDownLatch(1_000);
    ReceiptSender refusingMany =
        ids -> {
          if (ids.size() > 300) {
            throw new IOException("too large");
          }
          arrived.addAll(ids);
          ids.forEach(id -> all.countDown());
        };
    try (Receipts receipts = Receipts.start(refusingMany)) {
      some(1_000).forEach(receipts::processed);
      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(arrived).containsExactlyElementsOf(some(1_000));
  }

  @Test
  void anErrorOfTheSenderDoesNotEndTheThread() throws Exception {
    CountDownLatch attempts = new CountDownLatch(2);
    try (Receipts receipts =
        Receipts.start(
            ids -> {
              attempts.countDown();
              if (attempts.getCount() > 0) {
                throw new NoClassDefFoundError("missing");
              }
              arrived.addAll(ids);
            })) {
      receipts.processed(some(1).get(0));
      assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(arrived).containsExactlyElementsOf(some(1));
  }

  @Test
  void whatWaitsIsBounded() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Receipts receipts =
        Receipts.start(
            ids -> {
              busy.countDown();
              go.await();
              arrived.addAll(ids);
            })) {
      receipts.processed(new MessageId(new UUID(0, 0)));
      assertThat(busy.await(30, TimeUnit.SECONDS)).isTrue();
      some(Receipts.WAITING_MAX + 5).forEach(receipts::processed);

      assertThat(receipts.dropped()).isEqualTo(5);
      go.countDown();
    }
    assertThat(arrived).hasSize(1 + Receipts.WAITING_MAX);
  }

  @Test
  void everyOutageInWhichReceiptsAreDroppedIsTold() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(log, true, UTF_8));
    Semaphore go = new Semaphore(0);
    Semaphore taken = new Semaphore(0);
    try (Receipts receipts =
        Receipts.start(
            ids -> {
              go.acquire();
              taken.release(ids.size());
            })) {
      for (int outage = 1; outage <= 2; outage++) {
        receipts.processed(some(1).get(0));
        awaitWaiting(go);
        some(2 * Receipts.WAITING_MAX).forEach(receipts::processed);
        go.release(2 * Receipts.WAITING_MAX / Receipts.BATCH_MAX);
        assertThat(taken.tryAcquire(Receipts.WAITING_MAX, 60, TimeUnit.SECONDS)).isTrue();
        go.drainPermits();
      }
      go.release(2 * Receipts.WAITING_MAX);
    } finally {
      System.setErr(before);
    }

    assertThat(log.toString(UTF_8).lines().filter(line -> line.contains("are dropped, as")))
        .hasSize(2);
  }

  private static void awaitWaiting(Semaphore go) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!go.hasQueuedThreads()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  @Test
  void textIsReadAsItWasWritten() {
    assertThat(ReceiptText.decode(ReceiptText.encode(some(3)))).isEqualTo(some(3));
    assertThat(
            ReceiptText.decode("\r\n 00000000-0000-7000-0000-000000000001 \r\n".getBytes(US_ASCII)))
        .containsExactly(some(2).get(1));
    assertThatThrownBy(() -> ReceiptText.decode(new byte[] {'x', 0}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: the id of a message in each line");
  }

  @Test
  void wrongConfigurationListsEveryFault() {
    assertThatThrownBy(
            () ->
                new ConfirmationConfig(
                    Set.of("orders", "kafka:or*ders"),
                    Duration.ZERO,
                    0,
                    Duration.ZERO,
                    Duration.ZERO))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.faults())
                    .hasSize(7)
                    .anyMatch(fault -> fault.contains("'orders' (expected: a destination")));
  }
}
