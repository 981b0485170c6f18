package io.angarium.benchmarks.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.benchmarks.brokers.Broker;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What each arm with half messages must do to be compared: commit every pair, in the database or
 * out to the broker it sends to.
 */
public interface HalfArmTck {
  /** Opens the arm under test. */
  Arm.Opener opener();

  /** Where the arm sends what is committed; null if it only keeps it. */
  default @Nullable BrokerKind broker() {
    return null;
  }

  /** What the arm is to be opened with; empty unless an arm says otherwise. */
  default Map<String, String> options() {
    return Map.of();
  }

  /** On PostgreSQL. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  default void everyPairIsCommittedOnPostgresql() throws Exception {
    everyPairIsCommitted(SharedServers.postgres().freshDatabase());
  }

  /** On MariaDB. */
  @Test
  @RequiresServer(Server.MARIADB)
  default void everyPairIsCommittedOnMariadb() throws Exception {
    everyPairIsCommitted(SharedServers.mariaDb().freshDatabase());
  }

  private void everyPairIsCommitted(TestDatabase database) throws Exception {
    String topic = "half-" + database.name();
    BrokerKind kind = broker();
    Broker broker = kind == null ? null : Broker.shared(kind);
    if (broker != null) {
      broker.createTopic(topic, 3);
    }
    List<Outgoing> messages = LongStream.range(0, 20).mapToObj(HalfArmTck::message).toList();
    try (Arm arm = opener().open(settings(database, broker, topic))) {
      for (Outgoing message : messages) {
        arm.transact(message.number(), List.of(message));
      }
      if (broker == null) {
        assertThat(arm.left()).isEqualTo(messages.size());
      } else {
        assertThat(Arrivals.take(broker, topic, messages.size()))
            .extracting(Arrivals.Arrival::text)
            .containsExactlyInAnyOrderElementsOf(messages.stream().map(Outgoing::text).toList());
      }
    }
  }

  private static Outgoing message(long number) {
    byte[] payload = (number + " of the pairs").getBytes(StandardCharsets.US_ASCII);
    return new Outgoing(number, null, payload, false);
  }

  private ArmSettings settings(TestDatabase database, @Nullable Broker broker, String topic) {
    return new ArmSettings(
        DatabaseKind.valueOf(database.server().name()),
        database.url(),
        database.user(),
        database.password(),
        broker == null ? BrokerKind.KAFKA : broker.kind(),
        broker == null ? "none" : broker.address(),
        topic,
        Variant.DEFAULTS,
        options());
  }
}
