package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.ExponentialBackoff;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.transport.KeyOrder;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Relays with short pauses in front of one broker in memory, running on their own threads. */
final class RelayScene {
  final FakeBroker broker = new FakeBroker();
  private volatile Predicate<StoredMessage> poison = row -> false;
  private final Set<MessageId> sent = ConcurrentHashMap.newKeySet();
  private final Semaphore arrivals = new Semaphore(0);

  /** The broker fails what matches: it is parked, with what follows in its key. */
  void failWhile(Predicate<StoredMessage> poison) {
    this.poison = poison;
  }

  /** Matches one in so many messages of each key, each of them once. */
  static Predicate<StoredMessage> onceEvery(int messages) {
    Set<MessageId> failed = ConcurrentHashMap.newKeySet();
    return row -> NumberedMessages.number(row) % messages == 0 && failed.add(row.id());
  }

  /** A relay whose node counts as dead if nothing is heard of it for as long. */
  Relay relay(
      String node, Duration ttl, OutboxStore store, LeaseStore leases, RelayListener listener) {
    DestinationPolicy policy = policy();
    return Relay.builder(store, leases)
        .config(config(node, ttl, Duration.ofSeconds(2)))
        .transport(FakeTransport.to(broker, "fake", KeyOrder.PIPELINED).outcomes(this::outcome))
        .policies(destination -> policy)
        .listener(arrivals())
        .listener(listener)
        .build();
  }

  /** Short pauses, and the sweep as seldom as it is told. */
  static RelayConfig config(String node, Duration ttl, Duration sweep) {
    return new RelayConfig(
        node,
        Partitioning.DEFAULTS,
        new RelayConfig.Leasing(
            ttl,
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5)),
        new RelayConfig.Polling(
            Duration.ofMillis(5),
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            sweep),
        new RelayConfig.Window(400, 8 << 20, 200, 50, Duration.ofMillis(10)),
        Duration.ofSeconds(10));
  }

  private FakeTransport.Outcome outcome(StoredMessage row) {
    return poison.test(row) ? FakeTransport.Outcome.FAIL : FakeTransport.Outcome.ACKNOWLEDGE;
  }

  private static DestinationPolicy policy() {
    ExponentialBackoff.Timing timing =
        new ExponentialBackoff.Timing(Duration.ofMillis(20), 2, Duration.ofMillis(200), 0, 30_000);
    return new DestinationPolicy(
        new ExponentialBackoff(timing, new Random(1)::nextLong),
        DestinationPolicy.OnDead.SKIP,
        CircuitTiming.DEFAULTS);
  }

  private RelayListener arrivals() {
    return new RelayListener() {
      @Override
      public void sent(StoredMessage message, Route route, Duration age) {
        if (sent.add(message.id())) {
          arrivals.release();
        }
      }
    };
  }

  /** Waits until this many more messages have arrived. */
  void awaitArrivals(int more) throws InterruptedException {
    assertThat(arrivals.tryAcquire(more, 90, TimeUnit.SECONDS))
        .as("%d more messages after %d", more, sent.size())
        .isTrue();
  }
}
