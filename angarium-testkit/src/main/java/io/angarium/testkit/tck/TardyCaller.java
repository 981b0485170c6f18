package io.angarium.testkit.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends numbered messages of some keys as a relay does, but knows as little of the results as the
 * contract of {@link io.angarium.transport.Transport#send} allows: what it hands over next is
 * chosen when a call returns and handed over when more results came in. Not thread-safe: one thread
 * at a time.
 */
final class TardyCaller {
  private static final int PER_CALL = 3;
  private static final Duration BETWEEN_CALLS = Duration.ofMillis(5);

  private final TransportScene scene;
  private final Runnable between;
  private final List<Key> keys = new ArrayList<>();
  private final Map<MessageId, Key> keyOf = new HashMap<>();
  private final boolean chained;
  private List<StoredMessage> chosen = List.of();
  private int acknowledged;
  private boolean finishing;

  /** The messages of one key, by number. */
  private static final class Key {
    final String name;
    final List<StoredMessage> all = new ArrayList<>();
    final TreeMap<Integer, StoredMessage> unsent = new TreeMap<>();
    int next;
    int underWay;
    boolean failed;

    Key(String name) {
      this.name = name;
    }
  }

  TardyCaller(TransportScene scene, int keyCount) {
    this(scene, keyCount, () -> {});
  }

  /**
   * @param between runs before each call, when what it hands over is chosen
   */
  TardyCaller(TransportScene scene, int keyCount, Runnable between) {
    this.scene = scene;
    this.between = between;
    this.chained = scene.transport.keyOrder() == KeyOrder.CHAINED;
    for (int i = 0; i < keyCount; i++) {
      keys.add(new Key("key-" + i));
    }
  }

  /** How many messages it knows to be acknowledged. */
  int acknowledged() {
    return acknowledged;
  }

  /** Sends until something is so. */
  void sendUntil(String what, BooleanSupplier done) {
    long deadline = TimeSource.SYSTEM.nanoTime() + scene.resultLimit().multipliedBy(2).toNanos();
    do {
      call();
      assertThat(TimeSource.SYSTEM.nanoTime()).as("until " + what).isLessThan(deadline);
    } while (!done.getAsBoolean());
  }

  /** Makes no new messages and sends until all are acknowledged. */
  void finish() {
    finishing = true;
    sendUntil("all are acknowledged", () -> keys.stream().allMatch(key -> key.unsent.isEmpty()));
    scene.awaitAll();
  }

  /** Hands over what was chosen, and chooses what comes next. */
  void call() {
    between.run();
    scene.sendAndTake(chosen).forEach(this::apply);
    chosen = choose();
    scene.results.awaitAny(BETWEEN_CALLS);
  }

  private List<StoredMessage> choose() {
    List<StoredMessage> batch = new ArrayList<>();
    for (Key key : keys) {
      int most = chained ? 1 - key.underWay : PER_CALL;
      for (int i = 0; i < most && !key.failed; i++) {
        Map.Entry<Integer, StoredMessage> next = next(key);
        if (next != null) {
          key.next = next.getKey() + 1;
          key.underWay++;
          batch.add(next.getValue());
        }
      }
    }
    return batch;
  }

  private Map.@Nullable Entry<Integer, StoredMessage> next(Key key) {
    if (key.unsent.ceilingEntry(key.next) == null && !finishing) {
      int number = key.all.size();
      byte[] payload = String.valueOf(number).getBytes(UTF_8);
      StoredMessage message = scene.of(Message.of(scene.destination, payload).key(key.name));
      key.all.add(message);
      key.unsent.put(number, message);
      keyOf.put(message.id(), key);
    }
    return key.unsent.ceilingEntry(key.next);
  }

  private void apply(GivenResults.Given given) {
    Key key = Objects.requireNonNull(keyOf.get(given.message().id()));
    key.underWay--;
    if (given.result() == SendResult.ACKNOWLEDGED) {
      acknowledged++;
      key.unsent.remove(number(given.message().message()));
    } else {
      assertThat(given.result()).isNotInstanceOf(SendResult.Refused.class);
      key.failed = true;
    }
    if (key.failed && key.underWay == 0) {
      key.failed = false;
      key.next = 0;
    }
  }

  private static int number(Message message) {
    return Integer.parseInt(new String(message.payload(), UTF_8));
  }

  /** Checks that the broker stored all, and none for the first time before an earlier one. */
  void assertFirstAppearancesInOrder() {
    Map<String, List<Integer>> firsts = new HashMap<>();
    for (BrokerMessage stored : scene.fixture.stored(scene.destination)) {
      if (!keyOf.containsKey(stored.id())) {
        continue; // another caller's
      }
      String key = String.valueOf(stored.message().key());
      List<Integer> numbers = firsts.computeIfAbsent(key, k -> new ArrayList<>());
      int number = number(stored.message());
      if (!numbers.contains(number)) {
        numbers.add(number);
      }
    }
    for (Key key : keys) {
      assertThat(firsts.get(key.name))
          .as("first appearances of the messages of %s", key.name)
          .isEqualTo(key.all.stream().map(message -> number(message.message())).toList());
    }
  }
}
