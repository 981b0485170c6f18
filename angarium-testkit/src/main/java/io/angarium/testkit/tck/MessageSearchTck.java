package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.STAGES;
import static io.angarium.testkit.tck.DeskScene.idsOf;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Scanned;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.desk.MessageBrowser#search}: rows, times and order. Part of
 * {@link MessageBrowserTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MessageSearchTck extends DeskFixtureTck {

  @Test
  default void emptyStagesGiveEmptyPages() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : Stage.values()) {
      Instant before = fixture().now();
      MessagePage page = scene.search(stage, MessageFilter.ALL);

      assertThat(page.rows()).as(stage.name()).isEmpty();
      assertThat(page.next()).as(stage.name()).isNull();
      assertThat(page.scanned()).as(stage.name()).isEqualTo(new Scanned(0, null, true));
      assertThat(page.now()).as(stage.name()).isBetween(before, fixture().now());
    }
  }

  @Test
  default void everyStageShowsItsMessagesWithItsOwnTime() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(LONG);

    for (Stage stage : STAGES) {
      Instant before = fixture().now();
      Message message = scene.message(stage);
      MessageId id = scene.put(stage, stage == Stage.DELAYED ? message.notBefore(due) : message);
      Instant after = fixture().now();

      MessageRow row = scene.listed(stage, id);
      assertThat(row.stage()).isEqualTo(stage);
      assertThat(row.createdAt()).as(stage.name()).isBetween(before, after);
      if (stage == Stage.DELAYED) {
        assertThat(row.at()).isEqualTo(due);
      } else {
        assertThat(row.at()).as(stage.name()).isBetween(row.createdAt(), after);
      }
    }
  }

  @Test
  default void waitingMessageShowsEverythingButPayloadAndHeaders() {
    DeskScene scene = new DeskScene(fixture());
    StoredMessage stored = scene.row(scene.put(Stage.WAITING, described(StoreScene.ORDERS)));

    MessageRow row = scene.only(Stage.WAITING);

    assertThat(row)
        .isEqualTo(
            new MessageRow(
                Stage.WAITING,
                stored.position(),
                stored.id(),
                "fake:orders",
                "k",
                "order-paid",
                "order",
                "4711",
                "shop",
                null,
                7,
                0,
                stored.createdAt(),
                stored.createdAt(),
                null,
                null,
                false));
  }

  @Test
  default void everyStageShowsWhatAMessageSaysOfItself() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      Destination destination =
          stage == Stage.UNCONFIRMED ? DeskFixture.CONFIRMED : Destination.parse("fake:" + stage);
      MessageId id = scene.put(stage, described(destination));

      MessageRow row = scene.listed(stage, id);
      assertThat(row.id()).isEqualTo(id);
      assertThat(row.destination()).isEqualTo(destination.toString());
      assertThat(row.key()).as(stage.name()).isEqualTo("k");
      assertThat(row.type()).as(stage.name()).isEqualTo("order-paid");
      assertThat(row.businessType()).as(stage.name()).isEqualTo("order");
      assertThat(row.businessKey()).as(stage.name()).isEqualTo("4711");
      assertThat(row.createdBy()).as(stage.name()).isEqualTo("shop");
      assertThat(row.payloadBytes()).as(stage.name()).isEqualTo(7);
    }
  }

  private static Message described(Destination destination) {
    return Message.of(destination, new byte[7])
        .key("k")
        .type("order-paid")
        .business("order", "4711")
        .createdBy("shop")
        .header("colour", "blue");
  }

  @Test
  default void everyStageShowsAMessageThatSaysNothingOfItself() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      if (stage == Stage.HELD) {
        continue; // has a key
      }
      Destination destination =
          stage == Stage.UNCONFIRMED ? DeskFixture.CONFIRMED : StoreScene.ORDERS;
      MessageId id = scene.put(stage, Message.of(destination, new byte[0]));

      MessageRow row = scene.listed(stage, id);
      assertThat(row.key()).as(stage.name()).isNull();
      assertThat(row.type()).as(stage.name()).isNull();
      assertThat(row.businessType()).as(stage.name()).isNull();
      assertThat(row.businessKey()).as(stage.name()).isNull();
      assertThat(row.createdBy()).as(stage.name()).isNull();
      assertThat(row.updatedBy()).as(stage.name()).isNull();
      assertThat(row.payloadBytes()).as(stage.name()).isZero();
      assertThat(row.blocksKey()).as(stage.name()).isFalse();
    }
  }

  @Test
  default void failedMessagesShowWhyHowOftenAndWhenTheyAreTriedAgain() {
    DeskScene scene = new DeskScene(fixture());
    MessageId held = scene.put(Stage.HELD);
    MessageId dead = scene.put(Stage.WAITING);
    scene.bury(scene.row(dead), 5, "too large", true);

    MessageRow retrying = scene.only(Stage.RETRYING);
    assertThat(retrying.attempts()).isEqualTo(1);
    assertThat(retrying.error()).isEqualTo("holds others up");
    assertThat(retrying.dueAt())
        .isBetween(retrying.at().plus(LONG).minusMillis(1), fixture().now().plus(LONG));
    assertThat(retrying.blocksKey()).isTrue();
    MessageRow follower = scene.only(Stage.HELD);
    assertThat(follower.id()).isEqualTo(held);
    assertThat(follower.attempts()).isZero();
    assertThat(follower.error()).isNull();
    assertThat(follower.dueAt()).isNull();
    assertThat(follower.blocksKey()).isFalse();
    MessageRow letter = scene.only(Stage.DEAD);
    assertThat(letter.attempts()).isEqualTo(5);
    assertThat(letter.error()).isEqualTo("too large");
    assertThat(letter.dueAt()).isNull();
    assertThat(letter.blocksKey()).isTrue();
  }

  @Test
  default void plannedMessagesShowWhenTheyAreDue() {
    DeskScene scene = new DeskScene(fixture());
    scene.put(Stage.DELAYED);
    scene.put(Stage.UNCONFIRMED);

    MessageRow delayed = scene.only(Stage.DELAYED);
    MessageRow unconfirmed = scene.only(Stage.UNCONFIRMED);

    assertThat(delayed.dueAt()).isEqualTo(delayed.at());
    assertThat(unconfirmed.dueAt()).isAfter(unconfirmed.at());
    assertThat(scene.only(Stage.SENT).dueAt()).isNull();
  }

  @Test
  default void uncommittedMessagesAreNotFound() {
    DeskScene scene = new DeskScene(fixture());

    try (StoreFixture.OpenTransaction open =
        scene.store.open(scene.fresh(scene.message(Stage.WAITING)))) {
      assertThat(scene.ids(Stage.WAITING)).isEmpty();
      open.commit();
    }

    assertThat(scene.ids(Stage.WAITING)).hasSize(1);
  }

  @Test
  default void messagesOfAllPartitionsAreInOneOrder() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : List.of(Stage.WAITING, Stage.RETRYING, Stage.DEAD, Stage.SENT)) {
      MessageId first = scene.put(stage, of(StoreScene.key(3, 10)));
      MessageId second = scene.put(stage, of(StoreScene.key(0, 10)));
      MessageId third = scene.put(stage, Message.of(StoreScene.ORDERS, "keyless"));
      MessageId fourth = scene.put(stage, of(StoreScene.key(2, 10)));

      MessageQuery query = MessageQuery.newest(stage, MessageFilter.ALL, 10);
      assertThat(idsOf(scene.desk.messages().search(query)))
          .as(stage.name())
          .containsExactly(fourth, third, second, first);
      assertThat(idsOf(scene.desk.messages().search(query.order(MessageQuery.Order.OLDEST))))
          .as(stage.name())
          .containsExactly(first, second, third, fourth);
    }
  }

  @Test
  default void delayedMessagesAreInTheOrderInWhichTheyAreDue() {
    DeskScene scene = new DeskScene(fixture());
    Instant now = fixture().now();
    MessageId late = scene.put(Stage.DELAYED, of("a").notBefore(now.plus(LONG.multipliedBy(3))));
    MessageId early = scene.put(Stage.DELAYED, of("b").notBefore(now.plus(LONG)));
    MessageId between = scene.put(Stage.DELAYED, of("c").notBefore(now.plus(LONG.multipliedBy(2))));

    assertThat(scene.ids(Stage.DELAYED)).containsExactly(early, between, late);
    assertThat(idsOf(scene.search(Stage.DELAYED, MessageFilter.ALL)))
        .containsExactly(late, between, early);
  }

  private static Message of(String key) {
    return Message.of(StoreScene.ORDERS, "text").key(key);
  }
}
