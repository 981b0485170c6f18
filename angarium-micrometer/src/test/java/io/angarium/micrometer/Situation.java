package io.angarium.micrometer;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.ExponentialBackoff;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A database, a broker and relays between them, driven by hand. Not thread-safe. */
final class Situation {
  static final Duration STEP = Duration.ofMillis(100);
  private static final int ROUNDS_MAX = 1_000;

  final InMemoryDatabase database = InMemoryDatabase.create();
  final FakeTransport transport = FakeTransport.pipelined();
  private final Random random = new Random(42);

  Relay relay(String node, RelayListener... listeners) {
    ExponentialBackoff.Timing timing =
        new ExponentialBackoff.Timing(Duration.ofSeconds(1), 2, Duration.ofHours(6), 0, 3);
    DestinationPolicy policy =
        new DestinationPolicy(
            new ExponentialBackoff(timing, random::nextLong),
            DestinationPolicy.OnDead.SKIP,
            CircuitTiming.DEFAULTS);
    Relay.Builder builder =
        Relay.builder(database.outboxStore(), database.leaseStore())
            .transport(transport)
            .config(RelayConfig.defaults(node))
            .policies(destination -> policy)
            .time(database.clock())
            .incarnation(new UUID(random.nextLong(), random.nextLong()));
    List.of(listeners).forEach(builder::listener);
    return builder.build();
  }

  /** Commits a message of a process that may have a relay of its own. */
  MessageId commit(Message message, Handover handover, List<UnaryOperator<Message>> decorators) {
    MessageIntake intake =
        new MessageIntake(
            MessageLimits.DEFAULTS,
            database.partitioning(),
            null,
            decorators,
            database.clock(),
            random::nextLong);
    try (Tx tx = database.begin(handover)) {
      NewMessage accepted = intake.accept(message, handover);
      tx.insert(List.of(accepted));
      tx.commit();
      return accepted.id();
    }
  }

  MessageId commit(Message message) {
    return commit(message, Handover.NONE, List.of());
  }

  /** Runs a relay until it has nothing to do at once; no time passes. */
  void settle(Relay relay) {
    for (int round = 0; relay.runOnce(); round++) {
      if (round > ROUNDS_MAX) {
        throw new AssertionError("The relay is still busy after " + ROUNDS_MAX + " rounds");
      }
    }
  }

  /** Runs a relay while time passes. */
  void run(Relay relay, Duration duration) {
    for (long left = duration.toMillis(); left > 0; left -= STEP.toMillis()) {
      settle(relay);
      database.clock().advance(STEP);
    }
    settle(relay);
  }

  static Message message(String destination) {
    return Message.of(destination, new byte[] {1, 2, 3});
  }
}
