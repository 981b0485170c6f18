package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The close of a relay that runs on its own threads. */
@Timeout(180)
class RelayCloseTest {
  private static final int MESSAGES = 1_000;

  /** Longer than any stall. */
  private static final RelayConfig.Leasing LEASING =
      new RelayConfig.Leasing(
          Duration.ofMinutes(1),
          RelayConfig.Leasing.DEFAULTS.heartbeat(),
          RelayConfig.Leasing.DEFAULTS.margin(),
          RelayConfig.Leasing.DEFAULTS.restAfter(),
          RelayConfig.Leasing.DEFAULTS.rest());

  private final InMemoryDatabase database = InMemoryDatabase.create();
  private final FakeTransport transport = FakeTransport.pipelined();
  private final CountDownLatch firstSent = new CountDownLatch(1);
  private RelayConfig.Window window = RelayConfig.Window.DEFAULTS;
  private int payloadBytes = 1;
  private Duration closeTimeout = Duration.ofMinutes(2);

  @Test
  void closeSendsAllThatWasCommittedHoweverManyReadsThatTakes() throws InterruptedException {
    Relay relay = started();
    commit(1);
    assertThat(firstSent.await(30, TimeUnit.SECONDS)).isTrue();

    commit(MESSAGES); // more of each partition than the first careful reads take
    relay.close();

    assertThat(transport.stored("orders")).hasSize(MESSAGES + 1);
    assertThat(database.unsent()).isEmpty();
  }

  @Test
  void closeRightAfterTheStartSendsWhatWasCommitted() {
    Relay relay = started();

    commit(MESSAGES);
    relay.close();

    assertThat(transport.stored("orders")).hasSize(MESSAGES);
  }

  @Test
  void closeSendsMoreThanTheWindowHolds() {
    window = new RelayConfig.Window(50, 1 << 20, 50, 10, Duration.ofMillis(1));
    Relay relay = started();

    commit(MESSAGES);
    relay.close();

    assertThat(transport.stored("orders")).hasSize(MESSAGES);
    assertThat(database.unsent()).isEmpty();
  }

  @Test
  void messagesLargerThanTheWindowAreSentOneByOne() {
    window = new RelayConfig.Window(50, 1_024, 50, 10, Duration.ofMillis(1));
    payloadBytes = 2_000;
    Relay relay = started();

    commit(100);
    relay.close();

    assertThat(transport.stored("orders")).hasSize(100);
    assertThat(database.unsent()).isEmpty();
  }

  @Test
  void aFailedCallDoesNotKeepTheLeasesFromOthers() throws InterruptedException {
    Relay relay = started();
    commit(1);
    assertThat(firstSent.await(30, TimeUnit.SECONDS)).isTrue();

    database.faults().failNext(StoreCall.LEAVE);
    relay.close();

    assertThat(database.unsent()).isEmpty();
    NodeId other = new NodeId("b", new UUID(0, 2));
    assertThat(database.leaseStore().heartbeat(other, true, Duration.ofSeconds(10)).owners())
        .isEmpty();
  }

  @Test
  void closeReturnsWhenTheDatabaseIsGone() throws InterruptedException {
    closeTimeout = Duration.ofSeconds(20);
    Relay relay = started();
    commit(1);
    assertThat(firstSent.await(30, TimeUnit.SECONDS)).isTrue();

    commit(MESSAGES);
    database.faults().unavailable(true);
    relay.close();
    database.faults().unavailable(false);

    assertThat(transport.stored("orders").size() + database.unsent().size())
        .isGreaterThanOrEqualTo(MESSAGES + 1);
  }

  private Relay started() {
    Relay relay =
        Relay.builder(database.outboxStore(), database.leaseStore())
            .transport(transport)
            .config(
                new RelayConfig(
                    "a",
                    database.partitioning(),
                    LEASING,
                    RelayConfig.Polling.DEFAULTS,
                    window,
                    closeTimeout))
            .listener(
                new RelayListener() {
                  @Override
                  public void sent(StoredMessage message, Route route, Duration age) {
                    firstSent.countDown();
                  }
                })
            .build();
    relay.start();
    return relay;
  }

  /** In one transaction, and without a hint to the relay. */
  private void commit(int messages) {
    try (Tx tx = database.begin()) {
      for (int i = 0; i < messages; i++) {
        tx.outbox().send(Message.of("orders", new byte[payloadBytes]).key("k" + i));
      }
      tx.commit();
    }
  }
}
