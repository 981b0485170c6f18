package io.angarium.relay;

import static io.angarium.relay.RelayFixture.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.read.PollPauses;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.OutboxStore;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of processes that announce nothing to the relay of their key, in virtual time. */
class OtherProcessesTest {
  private static final int PAUSE_MILLIS = 20; // 50 transactions a second

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Map<String, Long> committed = new HashMap<>();
  private final List<Long> waits = new ArrayList<>();
  private int polls;
  private int reads;
  private long millis;
  private int sent;

  private OutboxStore counted(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              polls += method.getName().equals("lastSequence") ? 1 : 0;
              reads += method.getName().equals("read") ? 1 : 0;
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Relay counted() {
    Relay relay = world.storedIn(counted(world.database.outboxStore())).relay("a");
    pass(Duration.ofSeconds(4), relay); // polls are a second apart by then
    polls = 0;
    reads = 0;
    return relay;
  }

  /** In steps of a millisecond, noting how long messages waited. */
  private void pass(Duration time, Relay... relays) {
    for (long end = millis + time.toMillis(); millis < end; millis++) {
      world.settle(relays);
      noteWaits();
      world.clock.advance(Duration.ofMillis(1));
    }
  }

  private void noteWaits() {
    List<String> received = world.received();
    for (; waits.size() < received.size(); ) {
      waits.add(millis - committed.get(received.get(waits.size())));
    }
  }

  /** Commits a message of which no relay is told. */
  private CommittedMessages elsewhere(String key) {
    String text = "m" + sent++;
    committed.put(text, millis);
    Set<StoredMessage> before = new HashSet<>(world.database.unsent());
    try (Tx tx = world.database.begin(Handover.NONE)) {
      tx.outbox().send(message(key, text));
      tx.commit();
    }
    List<StoredMessage> rows = new ArrayList<>(world.database.unsent());
    rows.removeAll(before);
    return CommittedMessages.of(rows, world.database.outboxStore().source());
  }

  private void traffic(Duration time, Relay... relays) {
    for (long end = millis + time.toMillis(); millis < end; ) {
      elsewhere("k" + sent);
      pass(Duration.ofMillis(PAUSE_MILLIS), relays);
    }
  }

  /** Of the waits since {@code from}, the one that so many of a hundred do not exceed. */
  private long wait(int percent, int from) {
    List<Long> sorted = waits.subList(from, waits.size()).stream().sorted().toList();
    return sorted.get(sorted.size() * percent / 100);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 10})
  void trafficOfOthersIsFoundSoonByEachOfManyNodes(int nodes) {
    Relay[] relays =
        IntStream.range(0, nodes).mapToObj(i -> world.relay("n" + i)).toArray(Relay[]::new);
    pass(Duration.ofSeconds(12), relays); // the partitions are spread by then
    traffic(Duration.ofSeconds(3), relays);
    int from = waits.size();

    traffic(Duration.ofSeconds(6), relays);

    assertThat(waits).hasSizeGreaterThan(from + 250);
    assertThat(wait(50, from)).isLessThanOrEqualTo(20);
    assertThat(wait(99, from)).isLessThanOrEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 25, 50})
  void nodesTogetherPollABoundedNumberOfTimes(int nodes) {
    PollPauses pauses = new PollPauses(RelayConfig.Polling.DEFAULTS);
    pauses.foundOfOthers(0);

    long pause = 0;
    for (int i = 0; i < 10; i++) {
      pause = pauses.after(false, nodes, 0);
    }

    assertThat(nodes * Duration.ofSeconds(1).toNanos() / pause).isBetween(50L, 500L);
  }

  @Test
  void pollsSlowDownAgainWhenOthersAreSilent() {
    Relay relay = counted();
    traffic(Duration.ofSeconds(2), relay);
    pass(Duration.ofSeconds(1), relay);

    polls = 0;
    pass(Duration.ofSeconds(1), relay);
    assertThat(polls).isBetween(20, 1_000 / (int) PollPauses.QUICK.toMillis());
    pass(Duration.ofSeconds(62), relay);
    assertThat(polls).isLessThan(350);
    polls = 0;
    reads = 0;
    pass(Duration.ofSeconds(20), relay);
    assertThat(polls).isLessThanOrEqualTo(20); // the glance of the retries asks as often, too
    assertThat(reads).isZero();
  }

  @Test
  void messageAfterASilenceWaitsForASmallPartOfIt() {
    Relay relay = counted();
    traffic(Duration.ofSeconds(1), relay);
    pass(Duration.ofSeconds(10), relay);
    int from = waits.size();

    elsewhere("k");
    pass(Duration.ofSeconds(2), relay);

    assertThat(wait(0, from)).isLessThanOrEqualTo(10_000 / 64 + 10);
  }

  @Test
  void ownMessagesDoNotMakePollsQuick() {
    Relay relay = counted();

    assertThat(pollsBehind(written -> relay.committed(written, Duration.ZERO), relay))
        .isLessThan(20);
  }

  @Test
  void hintsKeepPollsSlow() {
    Relay relay = counted();

    assertThat(pollsBehind(written -> relay.wake(written.keyedPartitions()), relay)).isLessThan(20);
  }

  /** The polls of two seconds behind traffic that was announced. */
  private int pollsBehind(Consumer<CommittedMessages> announce, Relay relay) {
    for (int i = 0; i < 150; i++) {
      announce.accept(elsewhere("k" + i));
      pass(Duration.ofMillis(PAUSE_MILLIS), relay);
    }
    assertThat(waits).hasSize(150);
    polls = 0;
    pass(Duration.ofSeconds(2), relay);
    return polls;
  }

  /** Between the commit and the announcement other work of the transaction may take its time. */
  @Test
  void ownMessagesThatAreAnnouncedAfterAPollFoundThemDoNotMakePollsQuick() {
    Relay relay = counted();
    for (int i = 0; i < 50; i++) {
      CommittedMessages written = elsewhere("k");
      do {
        pass(Duration.ofMillis(1), relay);
      } while (waits.size() <= i);
      relay.committed(written, Duration.ZERO);
      pass(Duration.ofMillis(PAUSE_MILLIS), relay);
    }

    polls = 0;
    pass(Duration.ofSeconds(3), relay);

    assertThat(polls).isLessThan(20);
  }

  @Test
  void hintOfAPartitionIsFollowedAtOnceAndALostOneCostsAPoll() {
    Relay relay = counted();
    Wakeable target = relay;

    CommittedMessages hinted = elsewhere("k");
    target.wake(hinted.keyedPartitions());
    pass(Duration.ofMillis(5), relay);
    assertThat(waits).containsExactly(0L);

    elsewhere("k");
    pass(Duration.ofSeconds(2), relay);
    assertThat(waits).hasSize(2);
  }

  @Test
  void falseHintsAndHintsOfOtherNodesCostNoMoreThanARead() {
    Relay relay = counted();

    relay.wake(List.of(0, 1, -1, 60, 4_000, -4_000));
    relay.wake(List.of());
    pass(Duration.ofMillis(3), relay);

    assertThat(reads).isLessThanOrEqualTo(1);
    assertThat(waits).isEmpty();
  }
}
