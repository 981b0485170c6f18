package io.angarium.relay;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.ExponentialBackoff;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.store.Invariant;
import io.angarium.store.OutboxStore;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.Tx;
import io.angarium.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A database, a broker and relays under one manual clock. Not thread-safe. */
final class RelayFixture {
  static final String ORDERS = "fake:orders";
  static final int ROUNDS_MAX = 10_000;

  final ManualClock clock = ManualClock.create();
  final InMemoryDatabase database =
      InMemoryDatabase.create(clock, new Partitioning(8, 2)).handover(handover());
  final FakeTransport transport;
  final List<String> events = new ArrayList<>();
  final List<Invariant> broken = new ArrayList<>();
  private final Map<String, Relay> relays = new HashMap<>();
  private DestinationPolicy.OnDead onDead = DestinationPolicy.OnDead.SKIP;
  private int attemptsMax = 4;
  private long windowBytes = RelayConfig.Window.DEFAULTS.bytesMax();
  private final List<Transport> besides = new ArrayList<>();
  private @Nullable OutboxStore store;
  private Handover handover = Handover.NONE;

  RelayFixture(FakeTransport transport) {
    this.transport = transport;
  }

  private Handover handover() {
    return new Handover() {
      @Override
      public void committed(CommittedMessages written, Duration sinceWritten) {
        handover.committed(written, sinceWritten);
      }

      @Override
      public int keylessPartition(Partitioning partitioning, long random) {
        return handover.keylessPartition(partitioning, random);
      }
    };
  }

  RelayFixture onDead(DestinationPolicy.OnDead onDead) {
    this.onDead = onDead;
    return this;
  }

  RelayFixture attemptsMax(int attemptsMax) {
    this.attemptsMax = attemptsMax;
    return this;
  }

  /** Relays built from now on use this store. */
  RelayFixture storedIn(OutboxStore store) {
    this.store = store;
    return this;
  }

  /** Relays built from now on have this transport, too. */
  RelayFixture besides(Transport other) {
    besides.add(other);
    return this;
  }

  RelayFixture window(long bytes) {
    this.windowBytes = bytes;
    return this;
  }

  /** A relay that transactions of this fixture hand over to. */
  Relay local() {
    Relay relay = relay("a");
    handover = relay;
    return relay;
  }

  Relay relay(String node) {
    return relays.computeIfAbsent(node, this::build);
  }

  private Relay build(String node) {
    RelayConfig config = RelayConfig.defaults(node);
    ExponentialBackoff retry =
        new ExponentialBackoff(
            new ExponentialBackoff.Timing(
                Duration.ofSeconds(1), 2, Duration.ofSeconds(8), 0, attemptsMax),
            new Random(1)::nextLong);
    Relay.Builder builder =
        Relay.builder(store == null ? database.outboxStore() : store, database.leaseStore());
    besides.forEach(builder::transport);
    return builder
        .config(
            new RelayConfig(
                node,
                database.partitioning(),
                config.leasing(),
                config.polling(),
                new RelayConfig.Window(20_000, windowBytes, 5_000, 1_000, Duration.ofMillis(10)),
                Duration.ZERO))
        .transport(transport)
        .policies(d -> new DestinationPolicy(retry, onDead, CircuitTiming.DEFAULTS))
        .listener(
            new RelayListener() {
              @Override
              public void sent(StoredMessage message, Route route, Duration age) {
                events.add("sent " + text(message.message()) + " " + route);
              }

              @Override
              public void dead(StoredMessage message, String reason) {
                events.add("dead " + text(message.message()));
              }

              @Override
              public void invariantBroken(Invariant which, String detail) {
                broken.add(which);
              }
            })
        .time(clock)
        .build();
  }

  MessageId send(String key, String text) {
    return send(message(key, text));
  }

  MessageId send(Message message) {
    try (Tx tx = database.begin()) {
      MessageId id = tx.outbox().send(message);
      tx.commit();
      return id;
    }
  }

  static Message message(String key, String text) {
    return Message.of(ORDERS, text.getBytes(StandardCharsets.UTF_8)).key(key);
  }

  static String text(Message message) {
    return new String(message.payload(), StandardCharsets.UTF_8);
  }

  /** What the broker has of orders, in order, repeats included. */
  List<String> received() {
    return received(ORDERS);
  }

  List<String> received(String destination) {
    return transport.stored(destination).stream().map(m -> text(m.message())).toList();
  }

  /** Runs rounds until nothing more happens at this moment. */
  void settle(Relay... relays) {
    boolean busy = true;
    for (int i = 0; busy && i < ROUNDS_MAX; i++) {
      busy = false;
      for (Relay relay : relays) {
        busy |= relay.runOnce();
      }
    }
    if (busy) {
      throw new AssertionError("still busy after " + ROUNDS_MAX + " rounds");
    }
  }

  /** Lets time pass in small steps, running the relays at each. */
  void pass(Duration time, Relay... relays) {
    Duration step = Duration.ofMillis(100);
    for (Duration t = Duration.ZERO; t.compareTo(time) < 0; t = t.plus(step)) {
      clock.advance(step);
      settle(relays);
    }
  }
}
