package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.OTHER;
import static io.angarium.testkit.tck.DeskScene.idsOf;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.ORDERS;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.desk.MessageBrowser#key}. Part of {@link MessageBrowserTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface KeyViewTck extends DeskFixtureTck {

  @Test
  default void unknownKeyHasNothing() {
    DeskScene scene = new DeskScene(fixture());
    Instant before = fixture().now();

    KeyView view = scene.desk.messages().key(ORDERS, A);

    assertThat(view.destination()).isEqualTo(ORDERS);
    assertThat(view.key()).isEqualTo(A);
    assertThat(view.partition()).isEqualTo(PARTITION);
    assertThat(view.node()).isNull();
    assertThat(view.rows()).isEmpty();
    assertThat(view.complete()).isTrue();
    assertThat(view.lastSent()).isNull();
    assertThat(view.now()).isBetween(before, fixture().now());
  }

  @Test
  default void keyShowsTheDeadBlockerThenTheHeldThenTheWaiting() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(IntStream.range(0, 5).mapToObj(i -> scene.store.keyed(A)).toList());
    scene.store.commit(scene.store.keyed(B));
    scene.store.park(scene.lease(PARTITION), rows.subList(0, 3), LONG);
    fixture().letPass(Duration.ofMillis(1)); // a dead letter is newer than what waits for it
    scene.bury(rows.get(0), 1, "no hope", true);

    KeyView view = scene.desk.messages().key(ORDERS, A);

    assertThat(idsOf(view.rows())).isEqualTo(ids(rows));
    assertThat(stages(view))
        .containsExactly(Stage.DEAD, Stage.HELD, Stage.HELD, Stage.WAITING, Stage.WAITING);
    assertThat(view.rows().get(0).blocksKey()).isTrue();
    assertThat(view.node()).isEqualTo(DeskScene.NODE);
    assertThat(view.complete()).isTrue();
  }

  @Test
  default void keyShowsWhatIsRetryingAndWhatWaitsForIt() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(scene.store.keyed(A), scene.store.keyed(A), scene.store.keyed(A));
    scene.store.park(scene.lease(PARTITION), rows.subList(0, 2), LONG);

    KeyView view = scene.desk.messages().key(ORDERS, A);

    assertThat(idsOf(view.rows())).isEqualTo(ids(rows));
    assertThat(stages(view)).containsExactly(Stage.RETRYING, Stage.HELD, Stage.WAITING);
    MessageRow head = view.rows().get(0);
    assertThat(head).isEqualTo(scene.only(Stage.RETRYING));
  }

  @Test
  default void deadLettersThatDoNotBlockStandWhereTheyWere() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(scene.store.keyed(A), scene.store.keyed(A), scene.store.keyed(A));
    fixture().letPass(Duration.ofMillis(1));
    scene.bury(rows.get(1), 1, "no hope", false);

    KeyView view = scene.desk.messages().key(ORDERS, A);

    assertThat(idsOf(view.rows())).isEqualTo(ids(rows));
    assertThat(stages(view)).containsExactly(Stage.WAITING, Stage.DEAD, Stage.WAITING);
  }

  private static List<Stage> stages(KeyView view) {
    return view.rows().stream().map(MessageRow::stage).toList();
  }

  @Test
  default void sameKeyOfAnotherDestinationIsAnotherOne() {
    DeskScene scene = new DeskScene(fixture());
    for (Stage stage : List.of(Stage.WAITING, Stage.DEAD, Stage.HELD, Stage.SENT)) {
      scene.put(stage, Message.of(OTHER, "x").key(A));
    }
    MessageId mine = scene.put(Stage.WAITING, StoreScene.message("x").key(A));

    KeyView view = scene.desk.messages().key(ORDERS, A);

    assertThat(idsOf(view.rows())).containsExactly(mine);
    assertThat(view.lastSent()).isNull();
    KeyView other = scene.desk.messages().key(OTHER, A);
    assertThat(other.partition()).isEqualTo(DeskScene.partitionOf(OTHER, A));
    assertThat(other.rows()).hasSize(4);
  }

  @Test
  default void keyShowsWhatWasSentLast() {
    DeskScene scene = new DeskScene(fixture());
    scene.put(Stage.SENT, StoreScene.message("first").key(A));
    MessageId last = scene.put(Stage.SENT, StoreScene.message("second").key(A));
    scene.put(Stage.SENT, StoreScene.message("of another key").key(B));
    scene.put(Stage.DELAYED, StoreScene.message("later").key(A));

    KeyView view = scene.desk.messages().key(ORDERS, A);

    MessageRow sent = Objects.requireNonNull(view.lastSent());
    assertThat(sent.id()).isEqualTo(last);
    assertThat(sent.stage()).isEqualTo(Stage.SENT);
    assertThat(view.rows()).isEmpty();
  }

  @Test
  default void keyWithManyMessagesShowsTheFirstAndSaysSo() {
    DeskScene scene = new DeskScene(fixture());
    List<NewMessage> many =
        IntStream.range(0, KeyView.ROWS_MAX + 5).mapToObj(i -> scene.store.keyed(A)).toList();
    List<StoredMessage> rows = scene.store.commit(many);
    scene.store.park(scene.lease(PARTITION), rows.subList(0, 100), LONG);

    KeyView view = scene.desk.messages().key(ORDERS, A);

    assertThat(idsOf(view.rows())).isEqualTo(ids(rows.subList(0, KeyView.ROWS_MAX)));
    assertThat(view.complete()).isFalse();
  }

  @Test
  default void partitionWhoseNodeIsGoneHasNone() {
    DeskScene scene = new DeskScene(fixture());
    scene.lease(PARTITION);
    assertThat(scene.desk.messages().key(ORDERS, A).node()).isEqualTo(DeskScene.NODE);

    fixture().leases().leave(StoreScene.node(DeskScene.NODE));

    assertThat(scene.desk.messages().key(ORDERS, A).node()).isNull();
  }
}
