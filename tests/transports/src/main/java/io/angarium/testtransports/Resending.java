package io.angarium.testtransports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Sends numbered messages of some keys as the relay does: many of a key under way, and after a
 * failure nothing of the key until all its results are in, then again from the first that failed.
 * Then checks what arrived: first appearances are in order. Not thread-safe: one thread at a time.
 */
public final class Resending {
  /** Less, or all may be stored before a fault that waits for some of them is made. */
  private static final int PART_UNDER_WAY = 4;

  /** A message at the broker. */
  public record Arrival(String key, String text) {}

  private final Transport transport;
  private final List<Key> keys = new ArrayList<>();
  private final Map<StoredMessage, Key> keyOf = new HashMap<>();
  private final LinkedBlockingQueue<Results.Result> results = new LinkedBlockingQueue<>();
  private final int perCall;
  private final int total;
  private int underWay;
  private int acknowledged;
  private int failures;

  /** The messages of one key. */
  private static final class Key {
    final List<StoredMessage> messages = new ArrayList<>();
    final TreeSet<Integer> open = new TreeSet<>();
    int next;
    int underWay;
    boolean failed;
  }

  /**
   * Makes the messages.
   *
   * @param perKey messages of each key
   * @param perCall messages of each key in one call; there are some 200 calls in a second
   */
  public Resending(
      Transport transport, Destination destination, int keyCount, int perKey, int perCall) {
    this.transport = transport;
    this.perCall = perCall;
    this.total = keyCount * perKey;
    for (int k = 0; k < keyCount; k++) {
      Key key = new Key();
      for (int i = 0; i < perKey; i++) {
        StoredMessage message = Messages.of(destination, "key-" + k, String.valueOf(i));
        key.messages.add(message);
        key.open.add(i);
        keyOf.put(message, key);
      }
      keys.add(key);
    }
  }

  /**
   * Sends until all are acknowledged.
   *
   * @param onAcknowledged told the number of acknowledged messages; the place to make faults
   */
  public void run(IntConsumer onAcknowledged) throws InterruptedException {
    run(onAcknowledged, failure -> {});
  }

  /** Sends until all are acknowledged, through some outages. */
  public void run(OutageAt... outages) throws InterruptedException {
    List<OutageAt> all = List.of(outages);
    run(
        acknowledged -> all.forEach(outage -> outage.acknowledged(acknowledged)),
        failure -> all.forEach(outage -> outage.failed(failure)));
  }

  private void run(IntConsumer onAcknowledged, Consumer<Unavailable> onFailure)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
    while (acknowledged < total) {
      assertThat(System.nanoTime()).as("sending takes too long").isLessThan(deadline);
      transport.send(
          batch(), (message, result) -> results.add(new Results.Result(message, result)));
      int before = acknowledged;
      Results.Result result = results.poll(5, TimeUnit.MILLISECONDS);
      for (; result != null; result = results.poll()) {
        apply(result, onFailure);
      }
      if (acknowledged != before) {
        onAcknowledged.accept(acknowledged);
      }
    }
    assertThat(results).isEmpty();
  }

  private List<StoredMessage> batch() {
    List<StoredMessage> batch = new ArrayList<>();
    for (Key key : keys) {
      for (int i = 0; i < perCall && !key.failed && underWay < total / PART_UNDER_WAY; i++) {
        Integer next = key.open.ceiling(key.next);
        if (next == null) {
          break;
        }
        key.next = next + 1;
        key.underWay++;
        underWay++;
        batch.add(key.messages.get(next));
      }
    }
    return batch;
  }

  private void apply(Results.Result result, Consumer<Unavailable> onFailure) {
    Key key = Objects.requireNonNull(keyOf.get(result.message()));
    key.underWay--;
    underWay--;
    if (result.result() instanceof Acknowledged) {
      acknowledged++;
      key.open.remove(number(result.message().message().payload()));
    } else {
      assertThat(result.result()).isInstanceOf(Unavailable.class);
      failures++;
      key.failed = true;
      onFailure.accept((Unavailable) result.result());
    }
    if (key.failed && key.underWay == 0) {
      key.failed = false;
      key.next = 0;
    }
  }

  private static int number(byte[] payload) {
    return Integer.parseInt(new String(payload, UTF_8));
  }

  /** How many attempts were Unavailable. */
  public int failures() {
    return failures;
  }

  /**
   * Checks what is at the broker: everything, in order, and no more of it than attempts that failed
   * explain.
   *
   * @param arrivals those of each key as they lie there
   * @return how many of them are repeats
   */
  public int check(List<Arrival> arrivals) {
    Map<String, Integer> seen = new HashMap<>();
    int repeats = 0;
    for (Arrival arrival : arrivals) {
      int number = Integer.parseInt(arrival.text());
      int expected = seen.getOrDefault(arrival.key(), 0);
      assertThat(number).as("next new message of %s", arrival.key()).isLessThanOrEqualTo(expected);
      if (number == expected) {
        seen.put(arrival.key(), expected + 1);
      } else {
        repeats++;
      }
    }
    assertThat(seen.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(total);
    assertThat(repeats).as("repeats").isLessThanOrEqualTo(failures);
    return repeats;
  }
}
