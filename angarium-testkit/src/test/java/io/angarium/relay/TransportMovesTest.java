package io.angarium.relay;

import static io.angarium.relay.RelayFixture.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.transport.KeyOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Relays of one outbox whose transports are not the same. */
class TransportMovesTest {
  private static final String MAILS = "other:mails";
  private static final Duration BEATS = Duration.ofSeconds(12);

  private final FakeTransport other =
      FakeTransport.to(new FakeBroker(), "other", KeyOrder.PIPELINED);
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());

  /** Has one transport. */
  private final Relay few = world.local();

  /** Has another one besides. */
  private final Relay more = world.besides(other).relay("more");

  private void share(Relay... relays) {
    world.settle(relays);
    world.pass(BEATS, relays);
  }

  private void sendToAllPartitions(String destination, String text) {
    for (int i = 0; i < 60; i++) {
      send(destination, "k" + i, "k" + i + "-" + text);
    }
  }

  private void send(String destination, @Nullable String key, String text) {
    world.send(Message.of(destination, text.getBytes(StandardCharsets.UTF_8)).key(key));
  }

  private List<String> mails() {
    return other.stored(MAILS).stream().map(m -> RelayFixture.text(m.message())).toList();
  }

  private static List<String> ofKey(List<String> texts, String key) {
    return texts.stream().filter(text -> text.startsWith(key + "-")).toList();
  }

  @Test
  void messagesWithoutATransportHereGoWhereTheTransportIs() {
    share(few, more);
    assertThat(few.partitions()).isPositive();

    sendToAllPartitions(MAILS, "0");
    sendToAllPartitions(MAILS, "1");
    send(MAILS, null, "free");
    world.pass(BEATS, few, more);

    assertThat(mails()).hasSize(121).doesNotHaveDuplicates();
    for (int i = 0; i < 60; i++) {
      String key = "k" + i;
      assertThat(ofKey(mails(), key)).containsExactly(key + "-0", key + "-1");
    }
    assertThat(world.database.unsent()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
    assertThat(world.database.dead()).isEmpty();
    assertThat(world.events).noneMatch(event -> event.startsWith("dead"));
  }

  @Test
  void aPartitionThatWasGivenStaysThereThroughManyHeartbeats() {
    share(few, more);
    sendToAllPartitions(MAILS, "0");
    world.pass(BEATS, few, more);
    int partitions = few.partitions();
    assertThat(more.partitions()).isGreaterThanOrEqualTo(8);

    world.pass(Duration.ofMinutes(3), few, more);
    int partitionsLater = few.partitions();
    sendToAllPartitions(MAILS, "1");
    world.pass(Duration.ofSeconds(2), few, more);

    assertThat(partitionsLater).isEqualTo(partitions);
    assertThat(mails()).as("sent by the node that finds them").hasSize(120);
  }

  @Test
  void onlyPartitionsWithSuchMessagesMove() {
    share(few, more);
    int before = few.partitions();
    sendToAllPartitions(ORDERS, "0");
    world.pass(BEATS, few, more);
    assertThat(few.partitions()).isEqualTo(before);

    int mails = 0;
    while (few.partitions() == before) { // until one is of a partition of this node
      send(MAILS, "key" + mails++, "mail");
      world.pass(BEATS, few, more);
    }

    assertThat(few.partitions()).isEqualTo(before - 1);
    assertThat(more.partitions()).isEqualTo(10 - before + 1);
    assertThat(mails()).hasSize(mails);
    assertThat(world.received()).hasSize(60);
  }

  @Test
  void orderOfAKeySurvivesTheMove() {
    share(few, more);
    for (int i = 0; i < 20; i++) {
      sendToAllPartitions(i % 3 == 0 ? MAILS : ORDERS, "%02d".formatted(i));
      world.pass(Duration.ofSeconds(1), few, more);
    }
    world.pass(BEATS, few, more);

    assertThat(mails().size() + world.received().size()).isEqualTo(1_200);
    for (int i = 0; i < 60; i++) {
      assertThat(ofKey(mails(), "k" + i)).isSorted();
      assertThat(ofKey(world.received(), "k" + i)).isSorted();
    }
  }

  @Test
  void aPartitionComesBackWhenTheNodeThatHasTheTransportEnds() {
    share(few, more);
    sendToAllPartitions(MAILS, "0");
    world.pass(BEATS, few, more);

    more.close();
    sendToAllPartitions(ORDERS, "0");
    world.pass(BEATS, few);

    assertThat(few.partitions()).isEqualTo(10);
    assertThat(world.received()).hasSize(60);
  }

  @Test
  void aMessageWaitsUntilANodeWithItsTransportComes() {
    share(few);
    sendToAllPartitions(MAILS, "0");
    world.pass(Duration.ofMinutes(2), few);
    assertThat(mails()).isEmpty();
    assertThat(few.partitions()).isEqualTo(10);

    world.pass(BEATS.multipliedBy(2), few, more);

    assertThat(mails()).hasSize(60).doesNotHaveDuplicates();
    assertThat(world.database.dead()).isEmpty();
  }

  @Test
  void aPartitionMovesOnceAMinuteAtMost() {
    share(few, more);
    sendToAllPartitions(MAILS, "0");
    world.pass(BEATS, few, more);
    more.close(); // all come back to one that lacks the transport
    world.pass(BEATS, few);
    sendToAllPartitions(MAILS, "1");
    Relay again = relay("more", world.transport, other);
    share(few, again);
    int waiting = world.database.unsent().size();
    assertThat(waiting).as("those that moved lately and belong to the first").isPositive();

    world.pass(Duration.ofSeconds(15), few, again);
    int before = world.database.unsent().size();
    world.pass(Duration.ofMinutes(1), few, again);

    assertThat(before).isEqualTo(waiting);
    assertThat(world.database.unsent()).isEmpty();
    assertThat(mails()).hasSize(120).doesNotHaveDuplicates();
  }

  @Test
  void handOverWhoseAnswerIsLostOrThatFailsIsMadeAll() {
    share(few, more);
    world.database.faults().failNext(StoreCall.HAND_OVER).loseAnswerNext(StoreCall.HAND_OVER);
    world.database.faults().failNext(StoreCall.TRANSPORTS);

    sendToAllPartitions(MAILS, "0");
    world.pass(BEATS.multipliedBy(2), few, more);

    assertThat(mails()).hasSize(60).doesNotHaveDuplicates();
    assertThat(few.partitions() + more.partitions()).isEqualTo(10);
  }

  @Test
  void twoServicesOnOneOutboxAreRefused() {
    share(more);
    Relay apart = relay("apart", FakeTransport.to(new FakeBroker(), "third", KeyOrder.PIPELINED));

    assertThatThrownBy(apart::runOnce)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("[third]")
        .hasMessageContaining("'more'")
        .hasMessageContaining("[fake, other]")
        .hasMessageContaining("jdbc.tables");
    assertThat(world.database.leaseStore().transports())
        .as("a refused one must not refuse others")
        .hasSize(1);

    more.close();
    apart.runOnce();
    assertThat(apart.partitions()).isEqualTo(10);
  }

  @Test
  void aTransportMayBeAddedOrRemovedNodeByNode() {
    FakeTransport third = FakeTransport.to(new FakeBroker(), "third", KeyOrder.PIPELINED);
    share(few, more);
    Relay most = relay("most", world.transport, other, third);
    Relay fewest = relay("fewest", other);

    most.runOnce();
    assertThat(world.database.leaseStore().transports()).hasSize(3);

    assertThatThrownBy(fewest::runOnce)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("node 'a'")
        .hasMessageNotContaining("node 'more'");
    few.close();
    fewest.runOnce();
    assertThat(world.database.leaseStore().transports()).hasSize(3);
  }

  private Relay relay(String node, FakeTransport... transports) {
    Relay.Builder builder =
        Relay.builder(world.database.outboxStore(), world.database.leaseStore())
            .config(
                new RelayConfig(
                    node,
                    world.database.partitioning(),
                    RelayConfig.Leasing.DEFAULTS,
                    RelayConfig.Polling.DEFAULTS,
                    RelayConfig.Window.DEFAULTS,
                    Duration.ZERO))
            .time(world.clock);
    List.of(transports).forEach(builder::transport);
    return builder.build();
  }
}
