package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.brokers.TopicReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An independent consumer of a topic from its beginning: notes when each message arrived first, and
 * counts those that came twice or before an earlier one of their key. One thread receives; the
 * figures may be read once that has ended.
 */
final class Receiver {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Supplier<TopicReader> topic;
  private final BitSet seen = new BitSet();
  private final Map<String, Long> last = new HashMap<>();
  private final AtomicLong first = new AtomicLong();
  private long[] arrivals = new long[1 << 16];
  private int duplicates;
  private int disorder;
  private volatile boolean stopping;
  private volatile @Nullable Exception failure;
  private final Thread thread;

  /**
   * @param topic opens it; called once by the receiving thread
   */
  Receiver(Supplier<TopicReader> topic) {
    this.topic = topic;
    this.thread = new Thread(this::receive, "receiver");
    thread.setDaemon(true); // a run that fails before it closes this ends
  }

  /** Begins to receive as messages arrive. */
  Receiver start() {
    thread.start();
    return this;
  }

  /** Messages that arrived so far, each counted once. Thread-safe. */
  long arrived() {
    return first.get();
  }

  /** Stops when everything the topic has now was received. */
  void stop() throws InterruptedException {
    stopping = true;
    thread.join();
    if (failure != null) {
      throw new IllegalStateException("A topic could not be read", failure);
    }
  }

  /** Receives what the topic has now, and no more. */
  Receiver all() throws InterruptedException {
    start();
    stop();
    return this;
  }

  private void receive() {
    try (TopicReader reader = topic.get()) {
      while (!stopping) {
        poll(reader);
      }
      reader.noteEnd();
      while (!reader.isAtEnd()) {
        poll(reader);
      }
    } catch (Exception e) {
      failure = e;
    }
  }

  private void poll(TopicReader reader) throws Exception {
    reader.poll(POLL, (key, payload) -> note(key, payload, System.nanoTime()));
  }

  /** Notes an arrival. */
  void note(@Nullable String key, byte[] payload, long now) {
    long number = Workload.number(payload);
    if (seen.get((int) number)) {
      duplicates++;
      return;
    }
    seen.set((int) number);
    if (number >= arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, (int) Math.max(number + 1, arrivals.length * 2L));
    }
    arrivals[(int) number] = now;
    first.incrementAndGet();
    if (key != null && last.merge(key, number, Math::max) != number) {
      disorder++;
    }
  }

  /** How many of the numbers from 0 arrived. */
  long below(long end) {
    return seen.get(0, (int) end).cardinality();
  }

  int duplicates() {
    return duplicates;
  }

  int disorder() {
    return disorder;
  }

  boolean has(long number) {
    return seen.get((int) number);
  }

  /** When a message arrived, by the machine's clock; 0 if it did not. */
  long arrival(long number) {
    return number < arrivals.length ? arrivals[(int) number] : 0;
  }
}
