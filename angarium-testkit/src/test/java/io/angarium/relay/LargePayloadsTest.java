package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.intake.Handover;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.simulation.Planted;
import io.angarium.store.LateRows;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is loaded at once stays within the window, whatever comes after small messages. */
class LargePayloadsTest {
  private static final int WINDOW = 1 << 20;
  private static final int LARGE = 100_000;

  /** Counts the bytes of rows in flight and of the rows that a look holds beside them. */
  private static final class Loaded extends Planted {
    private final Map<Position, Integer> seen = new HashMap<>();
    private List<StoredMessage> newRows = List.of();
    private Predicate<Position> inFlight = position -> false;
    private long bytesMax;

    Loaded(OutboxStore store) {
      super(store);
    }

    private void load(List<StoredMessage> read, List<StoredMessage> others) {
      Set<Position> loaded = new HashSet<>();
      read.forEach(row -> loaded.add(row.position()));
      others.forEach(row -> loaded.add(row.position()));
      read.forEach(row -> seen.put(row.position(), row.message().payload().length));
      seen.keySet().stream().filter(inFlight).forEach(loaded::add);
      long bytes = loaded.stream().mapToLong(position -> seen.getOrDefault(position, 0)).sum();
      bytesMax = Math.max(bytesMax, bytes);
    }

    @Override
    public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
      ReadRows read = super.read(spans, limit);
      load(read.rows(), List.of());
      newRows = read.rows();
      return read;
    }

    @Override
    public LateRows readLate(
        List<SequenceRange> spans,
        @Nullable Snapshot since,
        ReadLimit limit,
        Predicate<Position> known) {
      inFlight = spans.isEmpty() ? inFlight : known;
      LateRows late = super.readLate(spans, since, limit, known);
      load(late.rows(), newRows);
      return late;
    }

    @Override
    public List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit) {
      List<StoredMessage> rows = super.parkedOfKey(partition, keyHash, limit);
      load(rows, List.of());
      return rows;
    }
  }

  /** Loads a payload to tell its size, as MySQL and MariaDB do, and gives up when it takes long. */
  private static final class Impatient extends Planted {
    private static final long LOADED_MAX = 4 << 20;
    private int givenUp;

    Impatient(OutboxStore store) {
      super(store);
    }

    @Override
    public ReadRows read(List<SequenceRange> spans, ReadLimit limit) {
      long bytes = 0;
      for (StoredMessage row : super.read(spans, ReadLimit.rows(limit.rows())).rows()) {
        bytes += row.message().payload().length;
      }
      if (bytes > LOADED_MAX) {
        givenUp++;
        throw new StoreException("no answer in time", new SQLTimeoutException());
      }
      return super.read(spans, limit);
    }
  }

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final Loaded loaded = new Loaded(world.database.outboxStore());
  private final Relay relay = world.storedIn(loaded).window(WINDOW).relay("a");

  private void burst(int messages) {
    for (int i = 0; i < messages; i++) {
      world.send(large("k" + i % 20, i));
    }
  }

  private static Message large(String key, int n) {
    byte[] payload = new byte[LARGE];
    payload[0] = (byte) n;
    return Message.of(RelayFixture.ORDERS, payload).key(key);
  }

  private void sendSmallOnes() {
    for (int i = 0; i < 500; i++) {
      world.send("k" + i % 20, "small");
    }
    world.settle(relay);
    assertThat(world.received()).hasSize(500);
  }

  @Test
  void readsThatFailForTheirSizeBecomeSmaller() {
    Impatient impatient = new Impatient(loaded);
    Relay careful = world.storedIn(impatient).window(WINDOW).relay("b");
    for (int i = 0; i < 500; i++) {
      world.send("k" + i % 20, "small");
    }
    world.settle(careful);

    burst(400);
    world.pass(Duration.ofSeconds(60), careful);

    assertThat(impatient.givenUp).isBetween(1, 10);
    assertThat(world.received()).hasSize(900);
    assertThat(world.transport.orderFaults()).isEmpty();
  }

  @Test
  void burstOfLargeMessagesAfterSmallOnesStaysWithinTheWindow() {
    sendSmallOnes();
    world.transport.manual();

    burst(100);
    world.pass(Duration.ofSeconds(2), relay);

    assertThat(loaded.bytesMax).isBetween((long) WINDOW / 2, (long) WINDOW + LARGE);
    world.transport.automatic();
    world.transport.acknowledgeAll();
    world.pass(Duration.ofSeconds(2), relay);
    assertThat(world.received()).hasSize(600);
    assertThat(world.transport.orderFaults()).isEmpty();
    assertThat(loaded.bytesMax).isLessThanOrEqualTo(WINDOW + LARGE);
  }

  @Test
  void burstOfLargeLateRowsStaysWithinTheWindowAndInOrder() {
    sendSmallOnes();
    try (Tx late = world.database.begin(Handover.NONE)) {
      for (int i = 0; i < 99; i++) {
        late.outbox().send(large("late" + i % 3, i));
      }
      world.send("other", "later");
      world.pass(Duration.ofSeconds(1), relay); // the cursors are behind the late rows now
      late.commit();
    }
    for (int i = 0; i < 21; i++) {
      world.send(large("late" + i % 3, 100 + i));
    }

    world.pass(Duration.ofSeconds(5), relay);

    assertThat(loaded.bytesMax).isBetween((long) WINDOW / 2, (long) WINDOW + 2 * LARGE);
    for (int key = 0; key < 3; key++) {
      String of = "late" + key;
      assertThat(numbers(of)).isSorted().doesNotHaveDuplicates().hasSize(40);
    }
  }

  @Test
  void largeRowsHeldForOneDestinationDoNotKeepOthersBack() {
    world.transport.unavailable("fake:down", true);
    for (int i = 0; i < 100; i++) {
      world.send(Message.of("fake:down", new byte[LARGE]).key("k" + i % 20));
    }
    world.pass(Duration.ofSeconds(2), relay);

    burst(20);
    world.pass(Duration.ofSeconds(2), relay);

    assertThat(world.received()).hasSize(20);
    world.transport.unavailable("fake:down", false);
    world.pass(Duration.ofMinutes(2), relay);
    assertThat(world.received("fake:down")).hasSize(100);
    assertThat(world.transport.orderFaults()).isEmpty();
  }

  @Test
  void largeParkedMessagesOfAKeyStayWithinTheWindowAndInOrder() {
    world.transport.failNext(1);
    for (int i = 0; i < 60; i++) {
      world.send(large("k", i));
    }

    world.pass(Duration.ofMinutes(1), relay);

    assertThat(world.received()).hasSizeGreaterThanOrEqualTo(60);
    assertThat(loaded.bytesMax).isLessThanOrEqualTo(WINDOW + LARGE);
    assertThat(world.transport.orderFaults()).isEmpty();
    assertThat(world.database.parked()).isEmpty();
    assertThat(world.database.unsent()).isEmpty();
  }

  @Test
  void partitionThatWasWokenAndCutIsReadOnAtOnce() {
    world.pass(Duration.ofSeconds(5), world.local());

    for (int i = 0; i < 40; i++) {
      world.send(large("k", i));
    }
    world.settle(relay);

    assertThat(world.received()).hasSize(40);
    assertThat(loaded.bytesMax).isLessThanOrEqualTo(WINDOW + LARGE);
  }

  /** The new row alone leaves no room for late ones: it waits for results, not in a loop. */
  @Test
  void rowLargerThanTheRestOfTheWindowIsNotReadAgainAndAgain() {
    world.settle(relay);
    world.transport.manual();
    world.send(Message.of(RelayFixture.ORDERS, new byte[WINDOW * 2 / 3]).key("k"));
    world.clock.advance(Duration.ofSeconds(1));
    world.settle(relay);

    world.send(Message.of(RelayFixture.ORDERS, new byte[WINDOW / 2]).key("k"));
    world.clock.advance(Duration.ofMillis(20));
    world.settle(relay); // fails if it does not come to rest

    world.transport.automatic();
    world.transport.acknowledgeAll();
    world.pass(Duration.ofSeconds(2), relay);
    assertThat(world.received()).hasSize(2);
  }

  private List<Integer> numbers(String key) {
    Stream<StoredMessage> rows = world.transport.stored(RelayFixture.ORDERS).stream();
    return rows.filter(row -> key.equals(row.message().key()))
        .map(row -> (int) row.message().payload()[0])
        .toList();
  }
}
