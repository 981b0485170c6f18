package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static io.angarium.testkit.tck.DeskScene.idsOf;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.LONG;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * How {@link io.angarium.desk.MessageBrowser} shows what {@link io.angarium.desk.MessageActs} did.
 * Part of {@link DeskTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface DiscardedTck extends DeskFixtureTck {

  @Test
  default void discardedLetterShowsWhoDiscardedItWhenAndWhy() {
    DeskScene scene = new DeskScene(fixture());
    Message message =
        Message.of(StoreScene.ORDERS, new byte[] {1, 2, 3, 4})
            .key(A)
            .type("order-paid")
            .business("order", "4711")
            .createdBy("shop")
            .header("colour", "blue");
    MessageId id = scene.put(Stage.WAITING, message);
    scene.bury(scene.row(id), 5, "no hope", true);
    MessageRow dead = scene.only(Stage.DEAD);
    Instant before = fixture().now();

    scene.desk.acts().discard(List.of(id), ANN);

    MessageRow row = scene.only(Stage.DISCARDED);
    assertThat(row.at()).isBetween(before, fixture().now());
    assertThat(row.error()).isEqualTo("limit raised");
    assertThat(row.updatedBy()).isEqualTo("ann");
    assertThat(row)
        .usingRecursiveComparison()
        .ignoringFields("stage", "at", "error", "updatedBy", "blocksKey")
        .isEqualTo(dead);
    assertThat(scene.desk.messages().payload(row, 1, 2)).hasValue(new byte[] {2, 3});
    assertThat(scene.desk.messages().payload(dead, 1, 2)).isEmpty();
    FoundMessage found = scene.desk.messages().find(id, SearchDepth.LIKELY);
    assertThat(found.places()).containsExactly(new MessageDetails(row, message.headers()));
    assertThat(scene.search(Stage.DEAD, MessageFilter.ALL).rows()).isEmpty();
  }

  @Test
  default void cancelledMessageShowsWhoCancelledItWhenAndWhy() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.DELAYED, StoreScene.message("later").key(A));
    MessageRow delayed = scene.only(Stage.DELAYED);
    Instant before = fixture().now();

    scene.desk.acts().cancel(List.of(id), ANN);

    MessageRow row = scene.only(Stage.DISCARDED);
    assertThat(row.id()).isEqualTo(id);
    assertThat(row.at()).isBetween(before, fixture().now());
    assertThat(row.error()).isEqualTo("limit raised");
    assertThat(row.updatedBy()).isEqualTo("ann");
    assertThat(row.attempts()).isZero();
    assertThat(row.createdAt()).isEqualTo(delayed.createdAt());
    assertThat(row.payloadBytes()).isEqualTo(5);
    assertThat(scene.search(Stage.DELAYED, MessageFilter.ALL).rows()).isEmpty();
  }

  @Test
  default void restoredMessagesAreWhereTheyWere() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD);
    MessageId delayed = scene.put(Stage.DELAYED);
    MessageRow deadBefore = scene.only(Stage.DEAD);
    MessageRow delayedBefore = scene.only(Stage.DELAYED);
    scene.desk.acts().discard(List.of(dead), ANN);
    scene.desk.acts().cancel(List.of(delayed), ANN);
    assertThat(scene.desk.messages().overview().discarded()).isEqualTo(exactly(2));

    scene.desk.acts().restore(List.of(dead, delayed), ANN);

    assertThat(scene.only(Stage.DEAD))
        .usingRecursiveComparison()
        .ignoringFields("updatedBy")
        .isEqualTo(deadBefore);
    assertThat(scene.only(Stage.DELAYED))
        .usingRecursiveComparison()
        .ignoringFields("updatedBy", "position")
        .isEqualTo(delayedBefore);
    assertThat(scene.search(Stage.DISCARDED, MessageFilter.ALL).rows()).isEmpty();
    assertThat(scene.desk.messages().overview().discarded()).isEqualTo(exactly(0));
  }

  private static BoundedCount exactly(long count) {
    return new BoundedCount(count, false);
  }

  @Test
  default void requeuedBlockerIsRetryingBeforeTheHeld() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);

    scene.desk.acts().requeue(List.of(rows.get(0).id()), ANN);

    MessageRow first = scene.only(Stage.RETRYING);
    assertThat(first.id()).isEqualTo(rows.get(0).id());
    assertThat(first.attempts()).isZero();
    assertThat(first.updatedBy()).isEqualTo("ann");
    assertThat(first.at()).as("not tried since").isEqualTo(first.createdAt());
    assertThat(scene.ids(Stage.HELD)).isEqualTo(ids(rows.subList(1, 3)));
  }

  @Test
  default void messagesThatAreSentNowAreDue() {
    DeskScene scene = new DeskScene(fixture());
    MessageId delayed = scene.put(Stage.DELAYED);
    MessageId retrying = scene.put(Stage.RETRYING);

    scene.desk.acts().sendNow(List.of(delayed, retrying), ANN);

    Instant now = fixture().now();
    assertThat(Objects.requireNonNull(scene.only(Stage.RETRYING).dueAt())).isBeforeOrEqualTo(now);
    assertThat(scene.search(Stage.DELAYED, MessageFilter.ALL).rows())
        .allSatisfy(row -> assertThat(row.at()).isBeforeOrEqualTo(now));
  }

  @Test
  default void pagesGoThroughTheDiscardedInEitherOrder() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> ids = discard(scene, 7);

    assertThat(idsOf(scene.all(query(2, Order.OLDEST)))).isEqualTo(ids);
    Collections.reverse(ids);
    assertThat(idsOf(scene.all(query(2, Order.NEWEST)))).isEqualTo(ids);
  }

  /** Discards dead letters one after the other. */
  private static List<MessageId> discard(DeskScene scene, int count) {
    List<MessageId> ids = scene.put(Stage.DEAD, count);
    for (MessageId id : ids) {
      scene.desk.acts().discard(List.of(id), ANN);
      scene.fixture.letPass(Duration.ofMillis(1));
    }
    return new ArrayList<>(ids);
  }

  private static MessageQuery query(int limit, Order order) {
    return MessageQuery.newest(Stage.DISCARDED, MessageFilter.ALL, limit).order(order);
  }

  @Test
  default void messagesThatWereDiscardedTogetherAreNeitherSkippedNorRepeated() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> ids = scene.put(Stage.DEAD, 7);
    scene.desk.acts().discard(ids, ANN);

    for (Order order : Order.values()) {
      assertThat(idsOf(scene.all(query(2, order)))).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @Test
  default void cursorNeitherSkipsNorRepeatsWhileMessagesAreDiscardedAndRestored() {
    for (Order order : Order.values()) {
      DeskScene scene = new DeskScene(fixture());
      List<MessageId> ids = discard(scene, 7);
      MessagePage first = scene.desk.messages().search(query(3, order));

      List<MessageId> gone = new ArrayList<>(List.of(ids.get(0), ids.get(6)));
      gone.add(first.rows().get(2).id());
      scene.desk.acts().restore(gone, ANN);
      discard(scene, 2);
      List<MessageId> found = new ArrayList<>(idsOf(first));
      found.addAll(idsOf(scene.all(query(3, order).cursor(first.next()))));

      ids.removeAll(gone);
      assertThat(found).as(order.name()).doesNotHaveDuplicates().containsAll(ids);
    }
  }

  @Test
  default void discardedMessagesCanBeFiltered() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> ids = new ArrayList<>(discard(scene, 1));
    MessageId meant = scene.put(Stage.DEAD, Message.of("fake:other", "x").key(A).type("paid"));
    scene.desk.acts().discard(List.of(meant), ANN);
    scene.fixture.letPass(Duration.ofMillis(1));
    ids.add(meant);
    ids.addAll(discard(scene, 1));
    Instant at = scene.listed(Stage.DISCARDED, meant).at();

    for (GivenFilter filter :
        List.of(
            new GivenFilter().destinations("fake:oth*"),
            new GivenFilter().key(A),
            new GivenFilter().ids(meant),
            new GivenFilter().type("paid"),
            new GivenFilter().from(at).to(at))) {
      assertThat(scene.ids(Stage.DISCARDED, filter.filter())).containsExactly(meant);
    }
    assertThat(scene.ids(Stage.DISCARDED, new GivenFilter().errorHas("raised").filter()))
        .isEqualTo(ids);
    assertThat(scene.ids(Stage.DISCARDED, new GivenFilter().errorHas("no hope").filter()))
        .isEmpty();
    assertThat(scene.ids(Stage.DISCARDED, new GivenFilter().from(at).filter()))
        .isEqualTo(ids.subList(1, 3));
  }

  @Test
  default void budgetEndsASearchOfTheDiscarded() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> ids = discard(scene, 5);
    MessageQuery query =
        query(5, Order.OLDEST)
            .permitted(row -> row.id().equals(ids.get(4)))
            .budget(new SearchBudget(2, SearchBudget.TIME_MAX));

    MessagePage first = scene.desk.messages().search(query);

    assertThat(first.rows()).isEmpty();
    assertThat(first.next()).isNotNull();
    assertThat(first.scanned().complete()).isFalse();
    assertThat(first.scanned().rows()).isBetween(1, 2);
    assertThat(idsOf(scene.all(query))).containsExactly(ids.get(4));
  }

  @Test
  default void cursorOfTheDiscardedFitsNoOtherStage() {
    DeskScene scene = new DeskScene(fixture());
    discard(scene, 2);
    String next = scene.desk.messages().search(query(1, Order.OLDEST)).next();

    for (Stage stage : Stage.values()) {
      Order order = stage == Stage.DISCARDED ? Order.NEWEST : Order.OLDEST;
      MessageQuery other = MessageQuery.newest(stage, MessageFilter.ALL, 1).order(order);
      assertThatIllegalArgumentException()
          .as(stage.name())
          .isThrownBy(() -> scene.desk.messages().search(other.cursor(next)));
    }
  }

  @Test
  default void discardedMessagesAreNoLongerOfTheirDestinationAndKey() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 1);
    MessageId delayed =
        scene.put(
            Stage.DELAYED, StoreScene.message("x").key(A).notBefore(fixture().now().plus(LONG)));

    scene.desk.acts().discard(ids(rows), ANN);
    scene.desk.acts().cancel(List.of(delayed), ANN);

    assertThat(scene.desk.messages().destinations().destinations()).isEmpty();
    assertThat(scene.desk.messages().key(StoreScene.ORDERS, A).rows()).isEmpty();
  }
}
