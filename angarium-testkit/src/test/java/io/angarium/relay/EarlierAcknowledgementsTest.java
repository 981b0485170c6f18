package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.DatabaseBackup;
import io.angarium.testkit.memory.StoreCall;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The broker acknowledges messages of the parked list, and the database goes back to an earlier
 * state before the relay has taken them off the list. // #27
 */
class EarlierAcknowledgementsTest {
  private static final Duration SHORT = Duration.ofSeconds(3);

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private Relay relay;

  @BeforeEach
  void start() {
    relay = world.relay("a");
    world.pass(SHORT, relay);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "k")
  void parkedMessageAcknowledgedAfterTheRestoreIsSentOnce(@Nullable String key) {
    DatabaseBackup backup = sendAgain(key, 1);

    world.database.failOver(backup);
    world.pass(SHORT, relay);
    acknowledge();

    assertThat(world.received()).containsExactly("m0");
    assertNothingWaits();
    assertThat(world.events).containsOnlyOnce("sent m0 RETRIED");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = "k")
  void parkedMessageWhoseSettlementTheRestorePreventedIsSentOnce(@Nullable String key) {
    DatabaseBackup backup = sendAgain(key, 1);
    world.database.faults().failNext(StoreCall.SETTLE_PARKED);

    acknowledgeNow();
    world.database.failOver(backup);
    world.pass(SHORT, relay);

    assertThat(world.received()).containsExactly("m0");
    assertNothingWaits();
  }

  @Test
  void groupOfAKeyIsSentOnceAndWhatFollowsItInOrder() {
    DatabaseBackup backup = sendAgain("k", 4);

    acknowledgeNow(); // the head, which had failed
    world.pass(SHORT, relay); // those that follow it are in flight
    assertThat(world.transport.inFlight()).hasSize(3);
    world.database.failOver(backup);
    world.send("k", "m4");
    world.pass(SHORT, relay);
    acknowledge();

    // the first had left the list: the earlier state has it again
    assertThat(world.received()).containsExactly("m0", "m1", "m2", "m3", "m0", "m4");
    assertNothingWaits();
  }

  @Test
  void messageThatTheEarlierStateHasInTheOutboxIsSentOnce() {
    world.transport.manual();
    world.send("k", "m0");
    DatabaseBackup backup = world.database.backup();
    world.pass(SHORT, relay);
    sentAgainAfterAFailure();

    world.database.failOver(backup);
    world.pass(SHORT, relay);
    acknowledge();

    assertThat(world.received()).containsExactly("m0");
    assertNothingWaits();
  }

  @Test
  void anotherMessageAtThePlaceIsSent() {
    DatabaseBackup empty = world.database.backup();
    sendAgain("k", 1);

    world.database.failOver(empty);
    world.send("k", "other");
    world.pass(SHORT, relay);
    acknowledge();

    assertThat(world.received()).containsExactly("m0", "other");
    assertNothingWaits();
  }

  @Test
  void acknowledgementCountsAfterASecondRestore() {
    DatabaseBackup backup = sendAgain("k", 1);

    world.database.failOver(backup);
    world.pass(SHORT, relay);
    world.database.faults().failNext(StoreCall.SETTLE_PARKED);
    acknowledgeNow();
    world.database.failOver(backup);
    acknowledge();

    assertThat(world.received()).containsExactly("m0");
    assertNothingWaits();
  }

  @Test
  void messageThatFailsAfterTheRestoreIsSentAgain() {
    world.transport.manual();
    world.send("k", "m0");
    world.pass(SHORT, relay);
    DatabaseBackup backup = sentAgainAfterAFailure();

    world.database.failOver(backup);
    world.pass(SHORT, relay);
    failAll();
    acknowledge();

    assertThat(world.received()).containsExactly("m0");
    assertNothingWaits();
  }

  /** Messages of one key whose first attempt has failed; the first is in flight again. */
  private DatabaseBackup sendAgain(@Nullable String key, int messages) {
    world.transport.manual();
    for (int i = 0; i < messages; i++) {
      world.send(key, "m" + i);
    }
    world.pass(SHORT.multipliedBy(2), relay); // without a key after the grace
    return sentAgainAfterAFailure();
  }

  private DatabaseBackup sentAgainAfterAFailure() {
    failAll();
    world.settle(relay);
    world.pass(Duration.ofMillis(300), relay);
    assertThat(world.database.parked()).isNotEmpty();
    DatabaseBackup backup = world.database.backup();
    world.pass(SHORT, relay);
    assertThat(world.transport.inFlight()).hasSize(1);
    return backup;
  }

  private void failAll() {
    for (StoredMessage row : world.transport.inFlight()) {
      world.transport.resolve(row.id(), FakeTransport.Outcome.FAIL);
    }
  }

  private void acknowledgeNow() {
    world.transport.acknowledgeAll();
    world.settle(relay);
  }

  private void acknowledge() {
    world.transport.automatic();
    world.transport.acknowledgeAll();
    world.pass(SHORT.multipliedBy(6), relay);
  }

  private void assertNothingWaits() {
    assertThat(world.database.unsent()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
    assertThat(world.transport.inFlight()).isEmpty();
    assertThat(world.broken).isEmpty();
  }
}
