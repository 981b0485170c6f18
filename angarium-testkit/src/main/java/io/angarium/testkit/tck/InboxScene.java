package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What the tests of an inbox say again and again.
 *
 * @param <C> what gives access to a transaction
 */
record InboxScene<C>(InboxFixture<C> fixture) {
  static final String CONSUMER = "shop";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  static InboxKey key(String text) {
    return InboxKey.of(CONSUMER, text);
  }

  static List<InboxKey> keys(String... texts) {
    return List.of(texts).stream().map(InboxScene::key).toList();
  }

  boolean write(InboxKey key, String line) {
    return write(fixture.inbox(), key, line);
  }

  boolean write(Inbox<C> inbox, InboxKey key, String line) {
    return inbox.process(key, transaction -> fixture.write(transaction, line));
  }

  /** Writes a line for each key that is new. */
  Set<InboxKey> writeAll(Collection<InboxKey> keys) {
    return writeAll(fixture.inbox(), keys);
  }

  Set<InboxKey> writeAll(Inbox<C> inbox, Collection<InboxKey> keys) {
    return inbox.processAll(
        keys, (transaction, fresh) -> fresh.forEach(key -> fixture.write(transaction, line(key))));
  }

  /**
   * Asserts that exactly the lines of done work are written, and the lines of failed work where the
   * inbox cannot undo it.
   */
  void assertWritten(List<String> done, List<String> failed) {
    List<String> expected = new ArrayList<>(done);
    if (!fixture.undoesFailedWork()) {
      expected.addAll(failed);
    }
    assertThat(fixture.written()).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** The line that {@link #writeAll} writes for a key. */
  static String line(InboxKey key) {
    return key.id().toString();
  }

  /** Has a message delivered again, as a broker would, for as long as another delivery is open. */
  static <T> T redelivering(Callable<T> delivery) throws Exception {
    return redelivering(delivery, ended -> {});
  }

  /**
   * Has a message delivered again like {@link #redelivering(Callable)}, and reports each repeat.
   *
   * @param told gets the exception of each delivery that comes again
   */
  static <T> T redelivering(Callable<T> delivery, Consumer<ConcurrentDeliveryException> told)
      throws Exception {
    long deadline = TimeSource.SYSTEM.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return delivery.call();
      } catch (ConcurrentDeliveryException e) {
        told.accept(e);
        if (TimeSource.SYSTEM.nanoTime() - deadline > 0) {
          throw new AssertionError("still not processed after " + DurationText.of(PATIENCE), e);
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Runs deliveries that begin at the same moment; gives their results in order. */
  static <T> List<T> atOnce(List<Callable<T>> deliveries) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(deliveries.size());
    CyclicBarrier start = new CyclicBarrier(deliveries.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> delivery : deliveries) {
        Callable<T> together =
            () -> {
              start.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
              return delivery.call();
            };
        futures.add(threads.submit(together));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(await(future));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  /** The result of a delivery on another thread; fails loudly if it takes too long. */
  static <T> T await(Future<T> future) throws Exception {
    try {
      return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("no end of a delivery within " + DurationText.of(PATIENCE), e);
    } catch (ExecutionException e) {
      throw new AssertionError("a delivery failed: " + e.getCause(), e.getCause());
    }
  }
}
