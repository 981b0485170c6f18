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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What each arm must do to be compared: send what was committed before its relay started and what
 * is committed while it runs, each message once, with its key and its payload, and leave nothing.
 * An attempt that the arm counts as not acknowledged may have come all the same, and explains one
 * copy. Implement it in a test class of the arm's module, which requires the broker's server.
 */
public interface ArmTck {
  /** Messages committed before the relay starts. */
  int BACKLOG = 300;

  /** Messages of the backlog in a transaction. */
  int IN_TRANSACTION = 100;

  /** Messages committed while the relay runs, each in a transaction of its own. */
  int LIVE = 100;

  /** Keys that the messages are spread over. */
  int KEYS = 8;

  /** Opens the arm under test. */
  Arm.Opener opener();

  /** Where the arm sends to. */
  default BrokerKind broker() {
    return BrokerKind.KAFKA;
  }

  /** Whether the messages of a key arrive in the order of their commits on this database. */
  default boolean keepsOrder(DatabaseKind database) {
    return true;
  }

  /** What the arm is to be opened with; empty unless an arm says otherwise. */
  default Map<String, String> options() {
    return Map.of();
  }

  /** As the makers advise, on PostgreSQL. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  default void tunedArmSendsBacklogAndNewMessagesOnPostgresql() throws Exception {
    sendsBacklogAndNewMessages(Variant.TUNED, SharedServers.postgres().freshDatabase());
  }

  /** As it comes, on PostgreSQL. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  default void armAsItComesSendsBacklogAndNewMessagesOnPostgresql() throws Exception {
    sendsBacklogAndNewMessages(Variant.DEFAULTS, SharedServers.postgres().freshDatabase());
  }

  /** As the makers advise, on MariaDB. */
  @Test
  @RequiresServer(Server.MARIADB)
  default void tunedArmSendsBacklogAndNewMessagesOnMariadb() throws Exception {
    sendsBacklogAndNewMessages(Variant.TUNED, SharedServers.mariaDb().freshDatabase());
  }

  private void sendsBacklogAndNewMessages(Variant variant, TestDatabase database) throws Exception {
    Broker broker = Broker.shared(broker());
    String topic = "arm-" + database.name();
    broker.createTopic(topic, 3);
    List<Outgoing> backlog = messages(0, BACKLOG);
    List<Outgoing> live = messages(BACKLOG, BACKLOG + LIVE);
    List<Outgoing> all = new ArrayList<>(backlog);
    all.addAll(live);

    List<Arrivals.Arrival> arrived;
    long copiesMax;
    try (Arm arm = opener().open(settings(variant, database, broker, topic))) {
      for (int i = 0; i < BACKLOG; i += IN_TRANSACTION) {
        arm.transact(i, backlog.subList(i, i + IN_TRANSACTION));
      }
      assertThat(arm.left()).isEqualTo(BACKLOG);
      assertThat(arm.sent()).isZero();
      arm.start();
      for (Outgoing message : live) {
        arm.transact(message.number(), List.of(message));
      }
      arrived = Arrivals.take(broker, topic, all.size());
      awaitSent(arm, all.size());
      arm.stop();
      assertThat(arm.left()).isZero();
      assertThat(arm.sent()).isEqualTo(all.size());
      copiesMax = arm.unacknowledged() == Arm.NOT_COUNTED ? 0 : arm.unacknowledged();
    }

    List<Arrivals.Arrival> first = arrived.stream().distinct().toList();
    assertThat(first).containsExactlyInAnyOrderElementsOf(arrivals(all));
    assertThat((long) arrived.size()).isBetween((long) all.size(), all.size() + copiesMax);
    assertThat(database.number("SELECT count(*) FROM purchase"))
        .isEqualTo(BACKLOG / IN_TRANSACTION + LIVE);
    if (keepsOrder(DatabaseKind.valueOf(database.server().name()))) {
      assertThat(byKey(first)).isEqualTo(byKey(arrivals(all)));
    }
  }

  /** A message may have come before the arm knows. */
  private static void awaitSent(Arm arm, long count) {
    long end = System.nanoTime() + Arrivals.WITHIN.toNanos();
    while (arm.sent() < count && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private ArmSettings settings(
      Variant variant, TestDatabase database, Broker broker, String topic) {
    return new ArmSettings(
        DatabaseKind.valueOf(database.server().name()),
        database.url(),
        database.user(),
        database.password(),
        broker.kind(),
        broker.address(),
        topic,
        variant,
        options());
  }

  private static List<Outgoing> messages(int from, int to) {
    List<Outgoing> messages = new ArrayList<>();
    for (int number = from; number < to; number++) {
      byte[] payload = (number + " is the number").getBytes(StandardCharsets.US_ASCII);
      messages.add(new Outgoing(number, "key-" + number % KEYS, payload, false));
    }
    return messages;
  }

  private static List<Arrivals.Arrival> arrivals(List<Outgoing> messages) {
    return messages.stream()
        .map(message -> new Arrivals.Arrival(message.key(), message.text()))
        .toList();
  }

  private static Map<@Nullable String, List<String>> byKey(List<Arrivals.Arrival> arrivals) {
    return arrivals.stream()
        .collect(
            Collectors.groupingBy(
                arrival -> String.valueOf(arrival.key()),
                Collectors.mapping(Arrivals.Arrival::text, Collectors.toList())));
  }
}
