package io.angarium.relay;

import static io.angarium.relay.RelayFixture.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.transport.KeyOrder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a node gives its share to others that has several transports. */
class SeveralTransportsRestTest {
  private static final String MAILS = "other:mails";

  private final FakeTransport other =
      FakeTransport.to(new FakeBroker(), "other", KeyOrder.PIPELINED);
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined()).besides(other);
  private final Relay a = world.local();
  private final Relay b = world.relay("b");

  @BeforeEach
  void share() {
    world.settle(a, b);
    world.pass(Duration.ofSeconds(10), a, b);
  }

  private void sendToAllPartitions(String destination) {
    for (int i = 0; i < 40; i++) {
      send(destination, "k" + i);
    }
  }

  private void send(String destination, @Nullable String key) {
    world.send(Message.of(destination, new byte[0]).key(key));
  }

  private void assertNobodyRests() {
    assertThat(a.partitions()).isPositive();
    assertThat(b.partitions()).isPositive();
  }

  private void assertOneRests() {
    assertThat(Math.min(a.partitions(), b.partitions())).isZero();
    assertThat(a.partitions() + b.partitions()).isEqualTo(10);
  }

  @Test
  void theOutageOfOneBrokerDoesNotDelayTheMessagesOfAnother() {
    sendToAllPartitions(MAILS);
    world.pass(Duration.ofSeconds(1), a, b);
    world.transport.unavailable(ORDERS, true);
    sendToAllPartitions(ORDERS);

    world.pass(Duration.ofMinutes(2), a, b);

    assertNobodyRests();
    send(MAILS, null);
    world.settle(a);
    assertThat(other.stored(MAILS)).as("sent straight after its commit").hasSize(41);
  }

  @Test
  void aNodeRestsWhenAllItsTransportsKeepFailing() {
    sendToAllPartitions(MAILS);
    sendToAllPartitions(ORDERS);
    world.pass(Duration.ofSeconds(1), a, b);
    world.transport.unavailable(ORDERS, true);
    other.unavailable(MAILS, true);
    sendToAllPartitions(MAILS);
    sendToAllPartitions(ORDERS);

    world.pass(Duration.ofSeconds(60), a, b);

    assertOneRests();
  }

  @Test
  void aTransportThatOnceWorkedIsNotTrustedForEver() {
    sendToAllPartitions(MAILS);
    world.pass(Duration.ofMinutes(5), a, b);
    world.transport.unavailable(ORDERS, true);
    sendToAllPartitions(ORDERS);

    world.pass(Duration.ofSeconds(60), a, b);

    assertOneRests();
  }

  /** It has had nothing to send, so there is no reason to believe that it works. */
  @Test
  void aTransportThatWasNeverUsedIsNoReasonToGoOn() {
    world.transport.unavailable(ORDERS, true);
    sendToAllPartitions(ORDERS);

    world.pass(Duration.ofSeconds(60), a, b);

    assertOneRests();
  }
}
