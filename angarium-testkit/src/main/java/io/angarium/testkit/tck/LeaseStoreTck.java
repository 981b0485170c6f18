package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITIONS;
import static io.angarium.testkit.tck.StoreScene.SHORT;
import static io.angarium.testkit.tck.StoreScene.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.intake.Partitioning;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.Membership;
import io.angarium.store.lease.NodeId;
import io.angarium.store.lease.NodeIdInUseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The contract of {@link io.angarium.store.lease.LeaseStore}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface LeaseStoreTck extends FixtureTck {
  /** Longer than any node lives whose ttl is {@link StoreScene#SHORT}. */
  Duration FAR = LONG;

  @Test
  default void preparationRepeatsButDoesNotChange() {
    LeaseStore leases = fixture().leases();
    leases.prepare(PARTITIONS);

    leases.prepare(PARTITIONS);

    assertThatThrownBy(() -> leases.prepare(new Partitioning(8, 2)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("8");
    assertThatThrownBy(() -> leases.prepare(new Partitioning(4, 1)))
        .isInstanceOf(ConfigurationException.class);
    assertThat(acquireAll(leases, alive(leases, "a"))).hasSize(6);
  }

  @Test
  default void everyPartitionIsFreeAtFirst() {
    LeaseStore leases = fixture().leases();
    leases.prepare(PARTITIONS);

    Membership membership = leases.heartbeat(node("a"), true, LONG);

    assertThat(membership.owners()).isEmpty();
    assertThat(acquireAll(leases, node("a")))
        .extracting(Lease::partition)
        .containsExactlyInAnyOrder(-2, -1, 0, 1, 2, 3);
  }

  @Test
  default void heartbeatTellsWhoTakesPartSortedByName() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("c"), true, LONG);
    leases.heartbeat(node("resting"), false, LONG);
    leases.heartbeat(node("b"), true, LONG);

    Membership membership = leases.heartbeat(node("a"), true, LONG);

    assertThat(membership.takingPart()).containsExactly("a", "b", "c");
  }

  @Test
  default void restingNodeTakesPartAgainWhenItSaysSo() {
    LeaseStore leases = prepared();

    assertThat(leases.heartbeat(node("a"), false, LONG).takingPart()).isEmpty();
    assertThat(leases.heartbeat(node("a"), true, LONG).takingPart()).containsExactly("a");
  }

  @Test
  default void nodeWhoseHeartbeatRanOutTakesNoPart() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, SHORT);
    acquireAll(leases, node("a"));

    fixture().letPass(SHORT);
    Membership membership = leases.heartbeat(node("b"), true, LONG);

    assertThat(membership.takingPart()).containsExactly("b");
    assertThat(membership.owners().values())
        .hasSize(6)
        .allSatisfy(
            owner -> {
              assertThat(owner.node()).isEqualTo(node("a"));
              assertThat(owner.live()).isFalse();
            });
  }

  @Test
  default void heartbeatPutsTheEndOff() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, SHORT);

    leases.heartbeat(node("a"), true, LONG);
    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(leases.heartbeat(node("b"), true, LONG).takingPart()).containsExactly("a", "b");
  }

  /** The state after the clock was set back. */
  @Test
  default void nodeThatLivesFarTooLongLivesOnForAsLongAsOthers() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, FAR);
    acquireAll(leases, node("a"));

    assertThat(leases.heartbeat(node("b"), true, SHORT).takingPart()).containsExactly("a", "b");
    fixture().letPass(SHORT);

    assertThat(leases.heartbeat(node("b"), true, SHORT).takingPart()).containsExactly("b");
    assertThat(acquireAll(leases, node("b"))).hasSize(6);
    assertThat(leases.heartbeat(node("a"), true, SHORT).takingPart()).containsExactly("a", "b");
  }

  @Test
  default void nameOfANodeThatLivesFarTooLongIsFreeSoon() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, FAR);
    NodeId second = new NodeId("a", new UUID(1, 1));
    assertThatThrownBy(() -> leases.heartbeat(second, true, SHORT))
        .isInstanceOf(NodeIdInUseException.class);

    fixture().letPass(SHORT);

    assertThat(leases.heartbeat(second, true, SHORT).takingPart()).containsExactly("a");
  }

  @Test
  default void nodeWithAMuchLongerTtlKeepsItsEnd() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, LeaseStore.TTL_MAX.minusSeconds(30));

    leases.heartbeat(node("b"), true, SHORT);
    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(leases.heartbeat(node("b"), true, SHORT).takingPart()).containsExactly("a", "b");
  }

  @Test
  default void ownersAreToldWithTheirEpoch() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    Lease lease = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);

    Membership membership = leases.heartbeat(node("b"), true, LONG);

    assertThat(membership.owners())
        .containsExactly(
            Map.entry(PARTITION, new Membership.Owner(node("a"), lease.epoch(), true)));
  }

  @Test
  default void secondIncarnationOfALiveNameIsRefused() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    NodeId second = new NodeId("a", new UUID(1, 1));

    assertThatThrownBy(() -> leases.heartbeat(second, true, LONG))
        .isInstanceOf(NodeIdInUseException.class)
        .hasMessageContaining("a");

    assertThat(leases.heartbeat(node("a"), true, LONG).takingPart()).containsExactly("a");
  }

  @Test
  default void secondIncarnationFollowsWhenTheFirstRanOut() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, SHORT);
    NodeId second = new NodeId("a", new UUID(1, 1));

    fixture().letPass(SHORT);

    assertThat(leases.heartbeat(second, true, LONG).takingPart()).containsExactly("a");
    assertThatThrownBy(() -> leases.heartbeat(node("a"), true, LONG))
        .isInstanceOf(NodeIdInUseException.class);
  }

  @Test
  default void secondIncarnationFollowsAtOnceWhenTheFirstLeft() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    leases.leave(node("a"));

    NodeId second = new NodeId("a", new UUID(1, 1));

    assertThat(leases.heartbeat(second, true, LONG).takingPart()).containsExactly("a");
  }

  @Test
  default void partitionsOfALiveNodeAreLeftAlone() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    leases.acquire(node("a"), List.of(0, 1), Duration.ZERO);
    alive(leases, "b");

    List<Lease> taken = leases.acquire(node("b"), List.of(0, 1, 2), Duration.ZERO);

    assertThat(taken).extracting(Lease::partition).containsExactly(2);
  }

  @Test
  default void partitionsOfARestingNodeAreLeftAlone() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    acquireAll(leases, node("a"));
    leases.heartbeat(node("a"), false, LONG);
    alive(leases, "b");

    assertThat(acquireAll(leases, node("b"))).isEmpty();
  }

  @Test
  default void partitionsAreTakenOverOnceTheOwnerRanOutAndTheMarginPassed() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, SHORT);
    List<Lease> old = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO);
    alive(leases, "b");
    fixture().letPass(SHORT.multipliedBy(2));

    assertThat(leases.acquire(node("b"), List.of(PARTITION), LONG)).isEmpty();
    List<Lease> taken = leases.acquire(node("b"), List.of(PARTITION), SHORT);

    assertThat(taken).extracting(Lease::node).containsExactly(node("b"));
    assertThat(taken.get(0).epoch()).isGreaterThan(old.get(0).epoch());
  }

  @Test
  default void partitionsOfAnEarlierIncarnationKeepTheMargin() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, SHORT);
    leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO);
    fixture().letPass(SHORT);
    NodeId second = new NodeId("a", new UUID(1, 1));
    leases.heartbeat(second, true, LONG);

    assertThat(leases.acquire(second, List.of(PARTITION), LONG)).isEmpty();
    assertThat(leases.acquire(second, List.of(PARTITION), Duration.ZERO)).hasSize(1);
  }

  @Test
  default void ownPartitionIsTakenAgainUnderANewEpoch() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    Lease first = leases.acquire(node("a"), List.of(PARTITION), LONG).get(0);

    Lease second = leases.acquire(node("a"), List.of(PARTITION), LONG).get(0);

    assertThat(second.epoch()).isGreaterThan(first.epoch());
  }

  @Test
  default void epochRisesWithEveryOwner() {
    LeaseStore leases = prepared();
    long epoch = -1;
    for (String name : List.of("a", "b", "a")) {
      alive(leases, name);
      Lease lease = leases.acquire(node(name), List.of(PARTITION), Duration.ZERO).get(0);
      assertThat(lease.epoch()).isGreaterThan(epoch);
      assertThat(lease.partition()).isEqualTo(PARTITION);
      epoch = lease.epoch();
      leases.release(List.of(lease));
    }
  }

  @Test
  default void onlyTheNamedPartitionsAreTaken() {
    LeaseStore leases = prepared();
    alive(leases, "a");

    assertThat(leases.acquire(node("a"), List.of(-1, 3), Duration.ZERO))
        .extracting(Lease::partition)
        .containsExactlyInAnyOrder(-1, 3);
    assertThat(leases.acquire(node("a"), List.of(), Duration.ZERO)).isEmpty();
    assertThat(leases.heartbeat(node("a"), true, LONG).owners().keySet())
        .containsExactlyInAnyOrder(-1, 3);
  }

  @Test
  default void releasedPartitionsAreFree() {
    LeaseStore leases = prepared();
    List<Lease> held = acquireAll(leases, alive(leases, "a"));

    leases.release(held.subList(0, 4));

    assertThat(acquireAll(leases, alive(leases, "b")))
        .extracting(Lease::partition)
        .containsExactlyInAnyOrderElementsOf(
            held.subList(0, 4).stream().map(Lease::partition).toList());
  }

  @Test
  default void releaseOfALostLeaseIsPassedOver() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    Lease older = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);
    Lease newer = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);
    Lease foreign = new Lease(PARTITION, node("b"), newer.epoch());

    leases.release(List.of(older, foreign));

    assertThat(leases.heartbeat(node("a"), true, LONG).owners())
        .containsEntry(PARTITION, new Membership.Owner(node("a"), newer.epoch(), true));
    leases.release(List.of());
    leases.release(List.of(newer, newer));
    assertThat(leases.heartbeat(node("a"), true, LONG).owners()).isEmpty();
  }

  @Test
  default void leaseIsHandedToAnotherNode() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    alive(leases, "b");
    Lease lease = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);
    Lease other = leases.acquire(node("a"), List.of(-1), Duration.ZERO).get(0);

    leases.handOver(lease, node("b"));

    assertThat(leases.heartbeat(node("c"), true, LONG).owners())
        .containsOnly(
            Map.entry(PARTITION, new Membership.Owner(node("b"), lease.epoch(), true)),
            Map.entry(-1, new Membership.Owner(node("a"), other.epoch(), true)));
    assertThat(leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO)).isEmpty();
    leases.release(List.of(lease));
    assertThat(leases.acquire(node("c"), List.of(PARTITION), Duration.ZERO)).isEmpty();
    assertThat(leases.acquire(node("b"), List.of(PARTITION), LONG))
        .singleElement()
        .satisfies(taken -> assertThat(taken.epoch()).isGreaterThan(lease.epoch()));
  }

  @Test
  default void leaseHandedToANodeThatHasLeftIsFree() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    alive(leases, "b");
    Lease lease = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);
    leases.leave(node("b"));

    leases.handOver(lease, node("b"));

    assertThat(leases.acquire(node("a"), List.of(PARTITION), LONG)).hasSize(1);
  }

  @Test
  default void handOverOfALostLeaseIsPassedOver() {
    LeaseStore leases = prepared();
    alive(leases, "a");
    alive(leases, "b");
    Lease older = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);
    Lease newer = leases.acquire(node("a"), List.of(PARTITION), Duration.ZERO).get(0);

    leases.handOver(older, node("b"));
    leases.handOver(new Lease(PARTITION, node("c"), newer.epoch()), node("b"));

    assertThat(leases.heartbeat(node("a"), true, LONG).owners())
        .containsEntry(PARTITION, new Membership.Owner(node("a"), newer.epoch(), true));
    leases.release(List.of(newer));
    leases.handOver(newer, node("b"));
    assertThat(leases.heartbeat(node("a"), true, LONG).owners()).isEmpty();
  }

  @Test
  default void transportsOfLiveNodesAreTold() {
    LeaseStore leases = prepared();
    leases.noteTransports(node("a"), Set.of("kafka", "http"));
    leases.noteTransports(node("dead"), Set.of("kafka"));
    leases.noteTransports(node("resting"), Set.of("rabbitmq"));
    assertThat(leases.transports()).as("before the first heartbeat").isEmpty();

    leases.heartbeat(node("dead"), true, SHORT);
    alive(leases, "a");
    alive(leases, "a");
    alive(leases, "b");
    leases.heartbeat(node("resting"), false, LONG);
    fixture().letPass(SHORT);

    assertThat(leases.transports())
        .containsOnly(
            Map.entry(node("a"), Set.of("kafka", "http")),
            Map.entry(node("resting"), Set.of("rabbitmq")));
    leases.leave(node("a"));
    assertThat(leases.transports()).containsOnlyKeys(node("resting"));
  }

  @Test
  default void transportsAreNotedAgainWithANodeThatIsAddedAnew() {
    LeaseStore leases = prepared();
    leases.noteTransports(node("a"), Set.of("kafka"));
    alive(leases, "a");
    leases.leave(node("a"));
    assertThat(leases.transports()).isEmpty();

    alive(leases, "a");

    assertThat(leases.transports()).containsOnly(Map.entry(node("a"), Set.of("kafka")));
  }

  @Test
  default void leavingFreesAllPartitionsAtOnce() {
    LeaseStore leases = prepared();
    acquireAll(leases, alive(leases, "a"));
    alive(leases, "b");

    leases.leave(node("a"));
    leases.leave(node("a"));

    Membership membership = leases.heartbeat(node("b"), true, LONG);
    assertThat(membership.takingPart()).containsExactly("b");
    assertThat(membership.owners()).isEmpty();
    assertThat(leases.acquire(node("b"), List.of(0, 1, 2, 3), LONG)).hasSize(4);
  }

  @Test
  default void leavingOfAnEarlierIncarnationDoesNotTouchTheNext() {
    LeaseStore leases = prepared();
    leases.heartbeat(node("a"), true, SHORT);
    fixture().letPass(SHORT);
    NodeId second = new NodeId("a", new UUID(1, 1));
    leases.heartbeat(second, true, LONG);
    acquireAll(leases, second);

    leases.leave(node("a"));

    Membership membership = leases.heartbeat(node("b"), true, LONG);
    assertThat(membership.takingPart()).containsExactly("a", "b");
    assertThat(membership.owners()).hasSize(6);
  }

  @Test
  default void everyPartitionGoesToOneOfTwoThatAskAtOnce() throws Exception {
    LeaseStore leases = prepared();
    alive(leases, "a");
    alive(leases, "b");
    for (int round = 0; round < 20; round++) {
      CyclicBarrier start = new CyclicBarrier(2);
      CompletableFuture<List<Lease>> other =
          CompletableFuture.supplyAsync(() -> acquireAtOnce(leases, node("b"), start));
      List<Lease> taken = new ArrayList<>(acquireAtOnce(leases, node("a"), start));
      taken.addAll(other.get(30, TimeUnit.SECONDS));

      assertThat(taken).extracting(Lease::partition).containsExactlyInAnyOrder(-2, -1, 0, 1, 2, 3);
      leases.release(taken);
    }
  }

  private LeaseStore prepared() {
    LeaseStore leases = fixture().leases();
    leases.prepare(PARTITIONS);
    return leases;
  }

  private static NodeId alive(LeaseStore leases, String name) {
    leases.heartbeat(node(name), true, LONG);
    return node(name);
  }

  private static List<Lease> acquireAll(LeaseStore leases, NodeId node) {
    return leases.acquire(node, List.of(-2, -1, 0, 1, 2, 3), Duration.ZERO);
  }

  private static List<Lease> acquireAtOnce(LeaseStore leases, NodeId node, CyclicBarrier start) {
    try {
      start.await(30, TimeUnit.SECONDS);
      return acquireAll(leases, node);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }
}
