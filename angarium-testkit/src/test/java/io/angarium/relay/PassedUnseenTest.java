package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.store.Invariant;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.DatabaseBackup;
import io.angarium.testkit.memory.Tx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A replica that lacks the last transactions takes over, and new ones are committed before the
 * relay looks: its sequence may have passed the old one by then.
 */
class PassedUnseenTest {
  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final int OLD = 20;

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final List<String> wanted = new ArrayList<>();
  private DatabaseBackup replica;
  private Relay relay;

  @BeforeEach
  void start() {
    relay = world.relay("a");
    world.pass(SHORT, relay);
    replica = world.database.backup();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 20, 25, 45})
  void newMessagesArriveInOrder(int newOnes) {
    sendOld();
    world.pass(SHORT, relay);

    takeOver(newOnes);
    world.pass(SHORT, relay);

    assertArrived();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 20, 25, 45})
  void lateAcknowledgementsDeleteNoOthers(int newOnes) {
    world.transport.manual();
    sendOld();
    world.pass(SHORT, relay);

    takeOver(newOnes);
    world.transport.acknowledgeAll();
    world.transport.automatic();
    world.pass(SHORT.multipliedBy(3), relay);

    assertArrived();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 20, 25, 45})
  void lateFailuresParkNoOthers(int newOnes) {
    world.transport.manual().failNext(OLD);
    sendOld();
    world.pass(SHORT, relay);

    takeOver(newOnes);
    world.transport.acknowledgeAll();
    world.transport.automatic();
    world.pass(SHORT.multipliedBy(3), relay);

    assertArrived();
  }

  /** The replica has the messages, and not yet their deletes. */
  @Test
  void whatWasAcknowledgedIsNotSentAgainIfTheReplicaHasIt() {
    world.transport.manual();
    sendOld();
    world.pass(SHORT, relay);
    replica = world.database.backup();

    takeOver(10);
    world.transport.acknowledgeAll();
    world.transport.automatic();
    world.pass(SHORT.multipliedBy(3), relay);

    assertArrived();
    assertThat(world.received()).hasSize(OLD + 10);
    assertThat(world.broken).isEmpty();
  }

  @Test
  void placesThatOthersHaveNowAreReported() {
    world.transport.manual();
    sendOld();
    world.pass(SHORT, relay);

    takeOver(10);
    world.transport.acknowledgeAll();
    world.pass(SHORT.multipliedBy(3), relay);

    assertThat(world.broken).containsExactly(Invariant.EXACT_DELETE);
  }

  private void sendOld() {
    for (int i = 0; i < OLD; i++) {
      world.send("k", "old " + i);
    }
  }

  private void takeOver(int newOnes) {
    world.database.failOver(replica);
    try (Tx tx = world.database.begin()) {
      for (int i = 0; i < newOnes; i++) {
        wanted.add("new " + i);
        tx.outbox()
            .send(
                Message.of(RelayFixture.ORDERS, ("new " + i).getBytes(StandardCharsets.UTF_8))
                    .key("k"));
      }
      tx.commit();
    }
  }

  private void assertArrived() {
    assertThat(
            world.transport.stored(RelayFixture.ORDERS).stream()
                .map(PassedUnseenTest::text)
                .filter(text -> text.startsWith("new")))
        .containsExactlyElementsOf(wanted);
    assertThat(world.database.unsent()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
  }

  private static String text(StoredMessage row) {
    return new String(row.message().payload(), StandardCharsets.UTF_8);
  }
}
