package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.desk.ActResult;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import io.angarium.pause.PauseStore;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How {@link MessageActs#bury} takes messages out of the hands of relays. Part of {@link DeskTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface BuryActTck extends DeskFixtureTck {
  private DestinationPause pause(String destinations) {
    return fixture().desk().pauses().pause(destinations, Duration.ofHours(1), ANN);
  }

  private void applied(NodeId node) {
    PauseStore pauses = fixture().pauses();
    pauses.applied(node, pauses.changedSince(PauseStore.NONE_KNOWN).orElseThrow().version());
  }

  private static ActResult bury(DeskScene scene, MessageId id) {
    return scene.desk.acts().bury(List.of(id), ANN);
  }

  @Test
  default void undeliveredMessagesOfAPausedDestinationAreBuried() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> meant =
        List.of(
            scene.put(Stage.WAITING),
            scene.put(Stage.WAITING, StoreScene.message("without a key")),
            scene.put(Stage.RETRYING),
            scene.put(Stage.HELD));
    pause(StoreScene.ORDERS.toString());
    applied(StoreScene.node(DeskScene.NODE));

    ActResult result = scene.desk.acts().bury(meant, ANN);

    assertThat(result.done()).containsExactlyInAnyOrderElementsOf(meant);
    assertThat(result.notFound()).isEmpty();
    assertThat(result.refused()).isEmpty();
    assertThat(scene.ids(Stage.DEAD)).containsExactlyInAnyOrderElementsOf(meant);
    assertThat(scene.ids(Stage.WAITING)).isEmpty();
    assertThat(scene.ids(Stage.HELD)).isEmpty();
    for (MessageId id : meant) {
      MessageRow dead = scene.listed(Stage.DEAD, id);
      assertThat(dead.error()).isEqualTo("buried by ann: limit raised");
      assertThat(dead.blocksKey()).isFalse();
    }
  }

  @Test
  default void messageOfADestinationThatIsNotPausedIsRefused() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.WAITING);
    scene.lease(scene.row(id));
    pause("fake:other*");
    applied(StoreScene.node(DeskScene.NODE));

    ActResult result = bury(scene, id);

    assertThat(result.done()).isEmpty();
    assertThat(result.notFound()).isEmpty();
    assertThat(result.refused()).containsOnlyKeys(id);
    assertThat(result.refused().get(id)).contains("not paused");
    assertThat(scene.ids(Stage.WAITING)).containsExactly(id);
  }

  @Test
  default void messageIsRefusedUntilEveryLiveNodeHasAppliedThePause() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.WAITING);
    scene.lease(scene.row(id));
    NodeId other = StoreScene.node("node-b");
    fixture().leases().heartbeat(other, true, StoreScene.LONG);
    pause("*");
    applied(StoreScene.node(DeskScene.NODE));

    assertThat(bury(scene, id).refused().get(id)).contains("1 of 2 nodes");

    applied(other);
    assertThat(bury(scene, id).done()).containsExactly(id);
  }

  @Test
  default void messageIsRefusedAfterThePause() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.WAITING);
    DestinationPause pause = pause("*");
    applied(scene.lease(scene.row(id)).node());
    scene.desk.pauses().resume(pause.id(), ANN);

    assertThat(bury(scene, id).refused().get(id)).contains("not paused");
  }

  @Test
  default void nothingIsBuriedTwice() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.WAITING);
    MessageId dead = scene.put(Stage.DEAD);
    MessageId delayed = scene.put(Stage.DELAYED);
    pause("*");
    applied(scene.lease(scene.row(id)).node());

    assertThat(bury(scene, id).done()).containsExactly(id);
    assertThat(scene.desk.acts().bury(List.of(id, dead, delayed), ANN).notFound())
        .containsExactlyInAnyOrder(id, dead, delayed);
  }

  @Test
  default void laterMessagesOfTheKeyGoOnAfterTheirFirstIsBuried() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(List.of(scene.store.keyed(A), scene.store.keyed(A)));
    scene.store.park(scene.lease(rows.get(0)), rows, StoreScene.LONG);
    pause("*");
    applied(StoreScene.node(DeskScene.NODE));

    scene.desk.acts().bury(List.of(rows.get(0).id()), ANN);

    assertThat(scene.ids(Stage.RETRYING)).containsExactly(rows.get(1).id());
    assertThat(ids(scene.store.due())).isEqualTo(ids(rows.subList(1, 2)));
  }

  @Test
  default void deadLetterStillBlocksItsKeyWhenAHeldMessageIsBuried() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);
    pause("*");
    applied(StoreScene.node(DeskScene.NODE));

    scene.desk.acts().bury(List.of(rows.get(1).id()), ANN);

    assertThat(scene.ids(Stage.HELD)).containsExactly(rows.get(2).id());
    assertThat(scene.ids(Stage.RETRYING)).isEmpty();
  }

  @Test
  default void buriedMessageCanBeRequeued() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.WAITING);
    pause("*");
    applied(scene.lease(scene.row(id)).node());
    bury(scene, id);

    scene.desk.acts().requeue(List.of(id), ANN);

    assertThat(ids(scene.store.unsent())).containsExactly(id);
  }
}
