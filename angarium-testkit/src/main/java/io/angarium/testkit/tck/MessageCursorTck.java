package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.STAGES;
import static io.angarium.testkit.tck.DeskScene.idsOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.store.DeadEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.desk.MessageBrowser#search}: pages, cursors, budgets and
 * permission. Part of {@link MessageBrowserTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MessageCursorTck extends DeskFixtureTck {

  @Test
  default void pagesGoThroughEveryStageInEitherOrder() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      List<MessageId> before = scene.ids(stage);
      List<MessageId> expected = new ArrayList<>(before);
      expected.addAll(scene.put(stage, 5));

      MessageQuery oldest = query(stage, 2, Order.OLDEST);
      assertThat(idsOf(scene.all(oldest))).as(stage.name()).isEqualTo(expected);
      Collections.reverse(expected);
      assertThat(idsOf(scene.all(query(stage, 2, Order.NEWEST))))
          .as(stage.name())
          .isEqualTo(expected);
    }
  }

  private static MessageQuery query(Stage stage, int limit, Order order) {
    return MessageQuery.newest(stage, MessageFilter.ALL, limit).order(order);
  }

  @Test
  default void fullPageIsCompleteAndSaysWhereToContinue() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> ids = scene.put(Stage.WAITING, 3);

    MessagePage page = scene.desk.messages().search(query(Stage.WAITING, 2, Order.OLDEST));

    assertThat(idsOf(page)).isEqualTo(ids.subList(0, 2));
    assertThat(page.next()).isNotNull();
    assertThat(page.scanned().complete()).isTrue();
    assertThat(page.scanned().rows()).isBetween(2, 3);
    MessagePage last =
        scene.desk.messages().search(query(Stage.WAITING, 2, Order.OLDEST).cursor(page.next()));
    assertThat(idsOf(last)).isEqualTo(ids.subList(2, 3));
    assertThat(last.next()).isNull();
    assertThat(last.scanned().complete()).isTrue();
    assertThat(last.scanned().until()).isEqualTo(last.rows().get(0).at());
  }

  @Test
  default void cursorNeitherSkipsNorRepeatsWhileRowsComeAndGo() {
    DeskScene scene = new DeskScene(fixture());

    for (Order order : Order.values()) {
      for (Stage stage : STAGES) {
        List<MessageId> staying = new ArrayList<>(scene.ids(stage));
        List<MessageId> ids = scene.put(stage, 7);
        staying.addAll(ids);
        MessageQuery query = query(stage, 3, order);
        MessagePage first = scene.desk.messages().search(query);

        List<MessageId> gone = new ArrayList<>();
        if (stage == Stage.WAITING || stage == Stage.RETRYING || stage == Stage.DEAD) {
          gone.add(ids.get(0)); // one was given, one was not
          gone.add(ids.get(6));
          gone.add(first.rows().get(2).id()); // where the page ended
          gone.stream().distinct().forEach(id -> scene.remove(stage, id));
        }
        scene.put(stage, 2);
        List<MessageId> found = idsOf(first.rows());
        found = new ArrayList<>(found);
        found.addAll(idsOf(scene.all(query.cursor(first.next()))));

        staying.removeAll(gone);
        assertThat(found).as(order + " " + stage).doesNotHaveDuplicates().containsAll(staying);
      }
    }
  }

  @Test
  default void messagesOfTheSameTimeAreNeitherSkippedNorRepeated() {
    DeskScene scene = new DeskScene(fixture());
    Instant due = fixture().now().plus(StoreScene.LONG);
    List<NewMessage> delayed = new ArrayList<>();
    List<NewMessage> confirmed = new ArrayList<>();
    List<NewMessage> dead = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      delayed.add(scene.fresh(scene.message(Stage.DELAYED).notBefore(due)));
      confirmed.add(scene.fresh(scene.message(Stage.UNCONFIRMED)));
      dead.add(scene.fresh(Message.of(StoreScene.ORDERS, "keyless")));
    }
    scene.store.commit(delayed);
    scene.store.outbox.delete(StoreScene.positions(scene.store.commit(confirmed)));
    List<StoredMessage> given = scene.store.commit(dead);
    scene.store.outbox.bury(
        scene.lease(given.get(0)),
        given.stream().map(row -> DeadEntry.of(row, 1, "no hope", false)).toList());

    for (Order order : Order.values()) {
      assertThat(idsOf(scene.all(query(Stage.DELAYED, 2, order))))
          .containsExactlyInAnyOrderElementsOf(newIds(delayed));
      assertThat(idsOf(scene.all(query(Stage.SENT, 2, order))))
          .containsExactlyInAnyOrderElementsOf(newIds(confirmed));
      assertThat(idsOf(scene.all(query(Stage.UNCONFIRMED, 2, order))))
          .containsExactlyInAnyOrderElementsOf(newIds(confirmed));
      assertThat(idsOf(scene.all(query(Stage.DEAD, 2, order))))
          .containsExactlyInAnyOrderElementsOf(newIds(dead));
    }
  }

  private static List<MessageId> newIds(List<NewMessage> messages) {
    return messages.stream().map(NewMessage::id).toList();
  }

  @Test
  default void cursorContinuesAFilteredSearch() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      List<MessageId> wanted = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        scene.put(stage);
        wanted.add(scene.put(stage, scene.message(stage).type("wanted")));
      }
      MessageFilter filter = new GivenFilter().type("wanted").filter();

      MessageQuery query = MessageQuery.newest(stage, filter, 1).order(Order.OLDEST);
      assertThat(idsOf(scene.all(query))).as(stage.name()).isEqualTo(wanted);
      Collections.reverse(wanted);
      assertThat(idsOf(scene.all(query.order(Order.NEWEST)))).as(stage.name()).isEqualTo(wanted);
    }
  }

  @Test
  default void cursorOfAnotherStageOrOrderIsRefused() {
    DeskScene scene = new DeskScene(fixture());
    MessageBrowser browser = scene.desk.messages();
    for (Stage stage : STAGES) {
      scene.put(stage, 2);
    }

    for (Stage stage : STAGES) {
      String next = browser.search(query(stage, 1, Order.OLDEST)).next();
      assertThat(next).as(stage.name()).isNotNull();

      for (Stage other : Stage.values()) {
        if (other != stage) {
          assertThatIllegalArgumentException()
              .as(stage + " for " + other)
              .isThrownBy(() -> browser.search(query(other, 1, Order.OLDEST).cursor(next)));
        }
      }
      assertThatIllegalArgumentException()
          .as(stage.name())
          .isThrownBy(() -> browser.search(query(stage, 1, Order.NEWEST).cursor(next)));
    }
  }

  @Test
  default void textThatIsNoCursorIsRefused() {
    DeskScene scene = new DeskScene(fixture());
    MessageBrowser browser = scene.desk.messages();
    scene.put(Stage.WAITING, 2);
    String next =
        Objects.requireNonNull(browser.search(query(Stage.WAITING, 1, Order.OLDEST)).next());

    for (String text : List.of("", "x", "4711", "' OR 1 = 1", "????", next + "x", "-" + next)) {
      assertThatIllegalArgumentException()
          .as(text)
          .isThrownBy(() -> browser.search(query(Stage.WAITING, 1, Order.OLDEST).cursor(text)));
    }
  }

  @Test
  default void budgetEndsASearchAndSaysHowFarItCame() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      scene.put(stage, 5);
      List<MessageRow> all = scene.all(query(stage, 9, Order.OLDEST));
      MessageId wanted = all.get(all.size() - 1).id();
      MessageQuery query =
          query(stage, 5, Order.OLDEST)
              .permitted(row -> row.id().equals(wanted)) // no index knows of it
              .budget(new SearchBudget(2, SearchBudget.TIME_MAX));

      MessagePage first = scene.desk.messages().search(query);
      assertThat(first.rows()).as(stage.name()).isEmpty();
      assertThat(first.next()).as(stage.name()).isNotNull();
      assertThat(first.scanned().complete()).as(stage.name()).isFalse();
      int looked = first.scanned().rows();
      assertThat(looked).as(stage.name()).isBetween(1, 2);
      assertThat(first.scanned().until()).as(stage.name()).isEqualTo(all.get(looked - 1).at());
      assertThat(idsOf(scene.all(query))).as(stage.name()).containsExactly(wanted);
    }
  }

  @Test
  default void budgetOfHardlyAnyTimeStillGetsFurther() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      scene.put(stage, 3);
      List<MessageId> all = scene.ids(stage);
      SearchBudget budget = new SearchBudget(SearchBudget.ROWS_MAX, Duration.ofNanos(1));

      assertThat(idsOf(scene.all(query(stage, 2, Order.OLDEST).budget(budget))))
          .as(stage.name())
          .isEqualTo(all);
    }
  }

  @Test
  default void messagesThatAreNotPermittedAreLeftOut() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      scene.put(stage, 2);
      List<MessageId> all = scene.ids(stage);
      MessageId hidden = all.get(0);
      Predicate<MessageRow> permitted = row -> !row.id().equals(hidden);

      assertThat(idsOf(scene.all(query(stage, 1, Order.OLDEST).permitted(permitted))))
          .as(stage.name())
          .isEqualTo(all.subList(1, all.size()));
    }
  }

  @Test
  default void permissionIsAskedOnceForEachRowThatFits() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      scene.put(stage);
      MessageId fits = scene.put(stage, scene.message(stage).type("wanted").createdBy("shop"));
      List<MessageRow> asked = new ArrayList<>();
      MessageFilter filter = new GivenFilter().type("wanted").filter();

      MessagePage page =
          scene.desk.messages().search(MessageQuery.newest(stage, filter, 9).permitted(asked::add));

      assertThat(idsOf(page)).as(stage.name()).containsExactly(fits);
      assertThat(idsOf(asked)).as(stage.name()).containsExactly(fits);
      assertThat(asked.get(0).createdBy()).as(stage.name()).isEqualTo("shop");
    }
  }
}
