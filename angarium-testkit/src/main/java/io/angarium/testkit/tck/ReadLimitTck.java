package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.KEYLESS_PARTITION;
import static io.angarium.testkit.tck.StoreScene.ORDERS;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.hash;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.sequence;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.LateRows;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import io.angarium.store.Snapshot;
import io.angarium.store.lease.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of reads whose payloads are large. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface ReadLimitTck extends FixtureTck {
  /** Bytes of a payload that no store reads with the others. */
  int LARGE = 100_000;

  /** Bytes of an ordinary payload. */
  int SMALL = 10;

  /** After so many reads all must have come. */
  int LOOKS_MAX = 20;

  @Test
  default void payloadsOfAnySizeComeWhole() {
    StoreScene scene = new StoreScene(fixture());
    int[] sizes = {0, 1, 1_000, 16_383, 16_384, 16_385, 2 * LARGE, 3};
    List<NewMessage> sent = Arrays.stream(sizes).mapToObj(bytes -> of(scene, A, bytes)).toList();
    scene.commit(sent);
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));

    List<StoredMessage> free = scene.outbox.read(all, ReadLimit.rows(100)).rows();
    List<StoredMessage> limited = scene.outbox.read(all, new ReadLimit(100, 4 * LARGE)).rows();

    assertThat(payloads(free)).containsExactlyElementsOf(sentPayloads(sent));
    assertThat(ids(limited)).isEqualTo(ids(free));
    assertThat(payloads(limited)).containsExactlyElementsOf(sentPayloads(sent));
  }

  @Test
  default void readStaysWithinTheBytesOfItsLimit() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = commit(scene, A, SMALL, LARGE, SMALL, LARGE, LARGE, SMALL);

    ReadRows read =
        scene.outbox.read(
            List.of(SequenceRange.after(PARTITION, 0)), new ReadLimit(10, 2 * LARGE + 50));

    assertThat(ids(read.rows())).isEqualTo(ids(rows.subList(0, 4)));
  }

  @Test
  default void spanCutByBytesIsNotExhausted() {
    StoreScene scene = new StoreScene(fixture());
    commit(scene, A, LARGE, LARGE, LARGE);
    commit(scene, ELSEWHERE, SMALL);
    List<SequenceRange> spans =
        List.of(SequenceRange.after(PARTITION, 0), SequenceRange.after(OTHER_PARTITION, 0));

    ReadRows cut = scene.outbox.read(spans, new ReadLimit(10, LARGE + 50));
    ReadRows whole = scene.outbox.read(spans, new ReadLimit(10, 4 * LARGE));
    ReadRows cutByRows = scene.outbox.read(spans, new ReadLimit(3, 4 * LARGE));

    assertThat(cut.more()).containsExactly(PARTITION);
    assertThat(whole.more()).isEmpty();
    assertThat(cutByRows.more()).containsExactly(PARTITION);
  }

  @Test
  default void rowLargerThanTheLimitComesAlone() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = commit(scene, A, LARGE, SMALL, LARGE);

    ReadRows read =
        scene.outbox.read(List.of(SequenceRange.after(PARTITION, 0)), new ReadLimit(10, 5));

    assertThat(ids(read.rows())).isEqualTo(ids(rows.subList(0, 1)));
    assertThat(read.more()).containsExactly(PARTITION);
  }

  @Test
  default void rowsComeByTheirPositionsWithoutTheirNeighbours() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = commit(scene, A, SMALL, SMALL, LARGE, SMALL);
    List<StoredMessage> others = commit(scene, ELSEWHERE, SMALL, SMALL);
    scene.outbox.delete(List.of(rows.get(3).position()));
    List<Position> wanted =
        List.of(
            rows.get(2).position(),
            rows.get(0).position(),
            others.get(1).position(),
            rows.get(3).position());

    ReadRows read = scene.outbox.readAt(wanted, new ReadLimit(5, 2 * LARGE));

    assertThat(read.more()).isEmpty();
    assertThat(ids(read.rows().stream().filter(row -> isIn(row, PARTITION)).toList()))
        .isEqualTo(ids(List.of(rows.get(0), rows.get(2))));
    assertThat(ids(read.rows().stream().filter(row -> isIn(row, OTHER_PARTITION)).toList()))
        .isEqualTo(ids(others.subList(1, 2)));
    assertThat(read.rows().stream().filter(row -> row.message().payload().length == LARGE))
        .hasSize(1);
  }

  private static boolean isIn(StoredMessage row, int partition) {
    return row.position().partition() == partition;
  }

  @Test
  default void rowsByTheirPositionsStayWithinTheBytesOfTheLimit() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = commit(scene, A, SMALL, LARGE, LARGE, SMALL);
    List<Position> all = rows.stream().map(StoredMessage::position).toList();

    ReadRows cut = scene.outbox.readAt(all, new ReadLimit(5, LARGE + 50));
    ReadRows alone = scene.outbox.readAt(all.subList(1, 3), new ReadLimit(5, 5));

    assertThat(ids(cut.rows())).isEqualTo(ids(rows.subList(0, 2)));
    assertThat(cut.more()).contains(PARTITION);
    assertThat(ids(alone.rows())).isEqualTo(ids(rows.subList(1, 2)));
    assertThat(alone.more()).contains(PARTITION);
  }

  @Test
  default void readGoesOnBehindWhatABytesLimitCut() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows =
        commit(scene, A, SMALL, LARGE, LARGE, SMALL, 2 * LARGE, SMALL, LARGE, SMALL);
    List<MessageId> read = new ArrayList<>();
    long cursor = 0;
    boolean more = true;
    for (int look = 0; more && look < LOOKS_MAX; look++) {
      ReadRows next =
          scene.outbox.read(
              List.of(SequenceRange.after(PARTITION, cursor)), new ReadLimit(4, LARGE + LARGE / 2));
      read.addAll(ids(next.rows()));
      more = !next.more().isEmpty();
      cursor = next.rows().isEmpty() ? cursor : sequence(last(next.rows()));
    }

    assertThat(read).containsExactlyElementsOf(ids(rows));
  }

  @Test
  default void everySpanIsServedWhenTheirOrderChanges() {
    StoreScene scene = new StoreScene(fixture());
    commit(scene, A, LARGE, LARGE);
    commit(scene, ELSEWHERE, LARGE, LARGE);
    SequenceRange here = SequenceRange.after(PARTITION, 0);
    SequenceRange there = SequenceRange.after(OTHER_PARTITION, 0);
    ReadLimit one = new ReadLimit(10, LARGE);

    List<StoredMessage> first = scene.outbox.read(List.of(here, there), one).rows();
    List<StoredMessage> second = scene.outbox.read(List.of(there, here), one).rows();

    assertThat(first).extracting(row -> row.position().partition()).containsExactly(PARTITION);
    assertThat(second)
        .extracting(row -> row.position().partition())
        .containsExactly(OTHER_PARTITION);
  }

  @Test
  default void lateRowsStayWithinTheBytesOfTheirLimit() {
    StoreScene scene = new StoreScene(fixture());
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(10)).snapshot();
    List<StoredMessage> rows = commit(scene, A, SMALL, LARGE, LARGE, LARGE);

    LateRows cut = scene.outbox.readLate(all, before, new ReadLimit(10, 2 * LARGE + 50));
    LateRows one = scene.outbox.readLate(all, before, new ReadLimit(10, 0));

    assertThat(ids(cut.rows())).isEqualTo(ids(rows.subList(0, 3)));
    assertThat(cut.complete()).isFalse();
    assertThat(ids(one.rows())).isEqualTo(ids(rows.subList(0, 1)));
    assertThat(one.complete()).isFalse();
  }

  @Test
  default void lookGoesOnWithTheRestOfItsSpans() {
    StoreScene scene = new StoreScene(fixture());
    List<SequenceRange> all =
        List.of(SequenceRange.after(OTHER_PARTITION, 0), SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(10)).snapshot();
    List<StoredMessage> rows = commit(scene, A, SMALL, LARGE, SMALL, SMALL, SMALL, LARGE, LARGE);
    List<StoredMessage> elsewhere = commit(scene, ELSEWHERE, LARGE, LARGE, SMALL);
    List<StoredMessage> found = new ArrayList<>();
    List<SequenceRange> rest = all;
    for (int look = 0; !rest.isEmpty() && look < LOOKS_MAX; look++) {
      LateRows part = scene.outbox.readLate(rest, before, new ReadLimit(3, LARGE + LARGE / 2));
      assertThat(part.rest()).isNotEqualTo(rest);
      found.addAll(part.rows());
      rest = part.rest();
    }

    assertThat(rest).isEmpty();
    assertThat(of(PARTITION, found)).isEqualTo(ids(rows));
    assertThat(of(OTHER_PARTITION, found)).isEqualTo(ids(elsewhere));
  }

  @Test
  default void knownRowsAreLeftOutOfLateRows() {
    StoreScene scene = new StoreScene(fixture());
    List<SequenceRange> all = List.of(SequenceRange.after(PARTITION, 0));
    Snapshot before = scene.outbox.readLate(all, null, ReadLimit.rows(10)).snapshot();
    List<StoredMessage> rows = commit(scene, A, LARGE, LARGE, SMALL, LARGE);
    Set<Position> known = new HashSet<>(StoreScene.positions(rows.subList(0, 2)));

    LateRows late =
        scene.outbox.readLate(all, before, new ReadLimit(10, LARGE + 50), known::contains);

    assertThat(ids(late.rows())).isEqualTo(ids(rows.subList(2, 4)));
    assertThat(late.complete()).isTrue();
  }

  @Test
  default void parkedMessagesAreReadWithinTheBytesOfTheLimit() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = commit(scene, A, SMALL, LARGE, SMALL, LARGE);
    scene.park(scene.lease(), rows);

    List<StoredMessage> some =
        scene.outbox.parkedOfKey(PARTITION, hash(A), new ReadLimit(10, LARGE + 50));
    List<StoredMessage> all =
        scene.outbox.parkedOfKey(PARTITION, hash(A), new ReadLimit(10, 3 * LARGE));

    assertThat(ids(some)).isEqualTo(ids(rows.subList(0, 3)));
    assertThat(ids(all)).isEqualTo(ids(rows));
    assertThat(payloads(all)).containsExactlyElementsOf(payloads(rows));
    assertThat(all).first().extracting(StoredMessage::attempts).isEqualTo(1);
  }

  @Test
  default void dueHeadsAreReadWithinTheBytesOfTheLimit() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> rows = new ArrayList<>(commit(scene, A, LARGE));
    rows.addAll(commit(scene, B, LARGE));
    List<ParkedEntry> heads =
        rows.stream().map(row -> ParkedEntry.head(row, 1, Duration.ZERO, "failed")).toList();
    scene.outbox.park(List.of(scene.lease()), heads);
    Lease keyless = scene.lease(KEYLESS_PARTITION, "node-a");
    scene.park(keyless, scene.commit(scene.keyless()));

    List<Integer> both = List.of(PARTITION, KEYLESS_PARTITION);
    ReadRows one = scene.outbox.dueHeads(both, List.of(), new ReadLimit(10, 0));
    ReadRows some = scene.outbox.dueHeads(both, List.of(), new ReadLimit(10, LARGE + 50));
    ReadRows all = scene.outbox.dueHeads(both, List.of(), new ReadLimit(10, 3 * LARGE));

    assertThat(one.rows()).hasSize(1);
    assertThat(one.more()).isNotEmpty();
    assertThat(some.rows()).hasSizeBetween(1, 2);
    assertThat(some.more()).isNotEmpty();
    assertThat(all.more()).isEmpty();
    assertThat(all.rows())
        .hasSize(3)
        .filteredOn(row -> row.message().payload().length == LARGE)
        .hasSize(2);
    assertThat(scene.outbox.dueHeads(both, List.of(), new ReadLimit(3, 3 * LARGE)).more())
        .isNotEmpty();
  }

  private static List<StoredMessage> commit(StoreScene scene, String key, int... sizes) {
    return scene.commit(Arrays.stream(sizes).mapToObj(bytes -> of(scene, key, bytes)).toList());
  }

  private static NewMessage of(StoreScene scene, String key, int bytes) {
    byte[] payload = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      payload[i] = (byte) (i * 31 + bytes);
    }
    return scene.of(Message.of(ORDERS, payload).key(key));
  }

  private static List<byte[]> payloads(List<StoredMessage> rows) {
    return rows.stream().map(row -> row.message().payload()).toList();
  }

  private static List<byte[]> sentPayloads(List<NewMessage> sent) {
    return sent.stream().map(message -> message.message().payload()).toList();
  }

  private static List<MessageId> of(int partition, List<StoredMessage> rows) {
    return ids(rows.stream().filter(row -> row.position().partition() == partition).toList());
  }

  private static StoredMessage last(List<StoredMessage> rows) {
    return rows.get(rows.size() - 1);
  }
}
