package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.Route;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a relay does not take straight from a commit is found by the owner of its partition. */
class HandoverLimitsTest {
  private static final int RECORDS_MAX = RelayConfig.Window.DEFAULTS.recordsMax() / 4;
  private static final long BYTES_MAX = RelayConfig.Window.DEFAULTS.bytesMax() / 4;

  /** Over a heartbeat and the grace. */
  private static final Duration OVER_THE_GRACE = Duration.ofSeconds(8);

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Relay relay = world.local();

  @Test
  void moreRecordsThanMayWaitAreLeftToTheOwner() {
    world.settle(relay);

    commit(RECORDS_MAX + 3, 1);
    world.settle(relay);
    assertThat(world.received()).hasSize(RECORDS_MAX);
    world.pass(OVER_THE_GRACE, relay);

    assertThat(sentBy(Route.PROMPT)).isEqualTo(RECORDS_MAX);
    assertThat(sentBy(Route.COMPENSATED)).isEqualTo(3);
    assertThat(world.received()).hasSize(RECORDS_MAX + 3).doesNotHaveDuplicates();
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void moreBytesThanMayWaitAreLeftToTheOwner() {
    int payloadBytes = 500_000;
    int fitting = (int) (BYTES_MAX / payloadBytes);
    world.settle(relay);

    commit(fitting + 2, payloadBytes);
    world.settle(relay);
    assertThat(world.received()).hasSize(fitting);
    world.pass(OVER_THE_GRACE, relay);

    assertThat(sentBy(Route.PROMPT)).isEqualTo(fitting);
    assertThat(sentBy(Route.COMPENSATED)).isEqualTo(2);
    assertThat(world.received()).hasSize(fitting + 2).doesNotHaveDuplicates();
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void whatWasLeftToTheOwnerTakesNoRoomFromLaterMessages() {
    world.settle(relay);
    commit(2 * RECORDS_MAX, 1);
    commit(20, 900_000);
    world.pass(OVER_THE_GRACE, relay);
    world.events.clear();

    commit(RECORDS_MAX, 1);
    world.settle(relay);

    assertThat(sentBy(Route.PROMPT)).isEqualTo(RECORDS_MAX);
  }

  @Test
  void messageCommittedAfterTheCloseIsSentByTheOtherNode() {
    Relay other = world.relay("b");
    world.settle(relay, other);
    relay.close();

    world.send(null, "free");
    world.send("k", "keyed");
    world.pass(OVER_THE_GRACE, other);

    assertThat(world.received()).containsExactlyInAnyOrder("free", "keyed");
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void messageHandedOverButNotTakenBeforeTheCloseIsSentByTheOtherNode() {
    Relay other = world.relay("b");
    world.settle(relay, other);

    world.send(null, "free");
    relay.close();
    world.pass(OVER_THE_GRACE, other);

    assertThat(world.received()).containsExactly("free");
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void messageCommittedAfterTheCloseOfTheOnlyNodeIsSentByTheNextOne() {
    world.settle(relay);
    relay.close();
    commit(10, 1);

    Relay next = world.relay("b");
    world.pass(OVER_THE_GRACE, next);

    assertThat(world.received()).hasSize(10).doesNotHaveDuplicates();
    assertThat(sentBy(Route.COMPENSATED)).isEqualTo(10);
  }

  /** Keyless messages in one transaction, all different. */
  private void commit(int messages, int payloadBytes) {
    try (Tx tx = world.database.begin()) {
      for (int i = 0; i < messages; i++) {
        byte[] number = Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
        byte[] payload = Arrays.copyOf(number, Math.max(number.length, payloadBytes));
        tx.outbox().send(Message.of(RelayFixture.ORDERS, payload));
      }
      tx.commit();
    }
  }

  private long sentBy(Route route) {
    return List.copyOf(world.events).stream().filter(e -> e.endsWith(route.name())).count();
  }
}
