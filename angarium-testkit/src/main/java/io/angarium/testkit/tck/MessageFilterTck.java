package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.OTHER;
import static io.angarium.testkit.tck.DeskScene.STAGES;
import static io.angarium.testkit.tck.DeskScene.idsOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.Cause;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.Stage;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link MessageFilter} in {@link io.angarium.desk.MessageBrowser#search}. Part of
 * {@link MessageBrowserTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MessageFilterTck extends DeskFixtureTck {

  @Test
  default void everyPartOfAFilterNarrowsByItself() {
    DeskScene scene = new DeskScene(fixture());
    MessageId meant =
        scene.put(
            Stage.WAITING,
            Message.of("fake:payments", "x")
                .key("a")
                .type("paid")
                .business("order", "1")
                .createdBy("shop"));
    MessageId other =
        scene.put(
            Stage.WAITING,
            Message.of("fake:parcels", "x")
                .key("b")
                .type("sent")
                .business("parcel", "2")
                .createdBy("depot"));
    MessageId silent = scene.put(Stage.WAITING, Message.of("fake:silent", "x"));
    scene.bury(scene.row(meant), 5, "HTTP status 500 at 10.1.2.3:80", true);
    fixture().letPass(StoreScene.SHORT);
    scene.bury(scene.row(other), 3, "record of 17 bytes is too large", false);
    scene.bury(scene.row(silent), 1, "unknown topic", false);
    Instant time = scene.listed(Stage.DEAD, meant).at();
    String cause = Cause.of("HTTP status 500 at 10.9.9.9:8080").fingerprint();

    Map<String, MessageFilter> filters = new HashMap<>();
    filters.put("destination", new GivenFilter().destinations("fake:payments").filter());
    filters.put("key", new GivenFilter().key("a").filter());
    filters.put("ids", new GivenFilter().ids(meant).filter());
    filters.put("type", new GivenFilter().type("paid").filter());
    filters.put("businessType", new GivenFilter().businessType("order").filter());
    filters.put("businessKey", new GivenFilter().businessKey("1").filter());
    filters.put("createdBy", new GivenFilter().createdBy("shop").filter());
    filters.put("errorHas", new GivenFilter().errorHas("500 at").filter());
    filters.put("cause", new GivenFilter().cause(cause).filter());
    filters.put("to", new GivenFilter().to(time).filter());
    filters.put("from and to", new GivenFilter().from(time).to(time).filter());
    filters.put("blocksKey", new GivenFilter().blocksKey(true).filter());
    filters.put("attemptsMin", new GivenFilter().attemptsMin(4).filter());

    filters.forEach(
        (part, filter) ->
            assertThat(scene.ids(Stage.DEAD, filter)).as(part).containsExactly(meant));
    Instant later = scene.listed(Stage.DEAD, other).at();
    assertThat(scene.ids(Stage.DEAD, new GivenFilter().from(later).filter()))
        .containsExactly(other, silent);
    assertThat(scene.ids(Stage.DEAD, new GivenFilter().attemptsMin(3).filter()))
        .containsExactly(meant, other);
    assertThat(scene.ids(Stage.DEAD, new GivenFilter().blocksKey(false).filter()))
        .containsExactly(other, silent);
    assertThat(scene.ids(Stage.DEAD, new GivenFilter().errorHas("TOO LARGE").filter())).isEmpty();
  }

  @Test
  default void everyStageCanBeFiltered() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      MessageId before = scene.put(stage);
      Destination destination =
          stage == Stage.UNCONFIRMED ? DeskFixture.CONFIRMED : Destination.parse("fake:" + stage);
      MessageId meant = scene.put(stage, described(destination));
      MessageId after = scene.put(stage);
      Instant time = scene.listed(stage, meant).at();

      assertThat(scene.ids(stage, new GivenFilter().ids(before, after).filter()))
          .as(stage.name())
          .containsExactly(before, after);
      assertThat(scene.ids(stage, new GivenFilter().key("meant").filter()))
          .as(stage.name())
          .containsExactly(meant);
      assertThat(
              scene.ids(
                  stage,
                  new GivenFilter()
                      .destinations("kafka:*", destination.toString())
                      .type("order-paid")
                      .businessType("order")
                      .businessKey("4711")
                      .createdBy("depot")
                      .filter()))
          .as(stage.name())
          .containsExactly(meant);
      assertThat(scene.ids(stage, new GivenFilter().from(time).to(time).filter()))
          .as(stage.name())
          .containsExactly(meant);
      assertThat(scene.ids(stage, new GivenFilter().from(time).filter()))
          .as(stage.name())
          .containsExactly(meant, after);
      assertThat(scene.ids(stage, new GivenFilter().to(time).filter()))
          .as(stage.name())
          .contains(before, meant)
          .doesNotContain(after);
    }
  }

  private static Message described(Destination destination) {
    return Message.of(destination, "text")
        .key("meant")
        .type("order-paid")
        .business("order", "4711")
        .createdBy("depot");
  }

  @Test
  default void partsOfAFilterNarrowTogether() {
    DeskScene scene = new DeskScene(fixture());
    MessageId both = scene.put(Stage.WAITING, of("a").type("paid"));
    MessageId sameKey = scene.put(Stage.WAITING, of("a").type("sent"));
    MessageId sameType = scene.put(Stage.WAITING, of("b").type("paid"));

    assertThat(scene.ids(Stage.WAITING, new GivenFilter().key("a").type("paid").filter()))
        .containsExactly(both);
    assertThat(
            scene.ids(
                Stage.WAITING, new GivenFilter().ids(both, sameKey, sameType).key("a").filter()))
        .containsExactly(both, sameKey);
    assertThat(scene.ids(Stage.WAITING, new GivenFilter().key("b").type("sent").filter()))
        .isEmpty();
  }

  @Test
  default void starInADestinationStandsForAnyCharacters() {
    DeskScene scene = new DeskScene(fixture());
    MessageId orders = scene.put(Stage.WAITING, Message.of("fake:shop.orders", "x"));
    MessageId parcels = scene.put(Stage.WAITING, Message.of("fake:depot.parcels", "x"));
    MessageId percent = scene.put(Stage.WAITING, Message.of("fake:100%_off", "x"));
    MessageId plain = scene.put(Stage.WAITING, Message.of("fake:100x off", "x"));

    assertThat(ofDestinations(scene, "fake:shop.*")).containsExactly(orders);
    assertThat(ofDestinations(scene, "fake:*.parcels")).containsExactly(parcels);
    assertThat(ofDestinations(scene, "*o*.*s")).containsExactly(orders, parcels);
    assertThat(ofDestinations(scene, "fake:100%_off")).containsExactly(percent);
    assertThat(ofDestinations(scene, "fake:100%_*", "fake:depot.parcels"))
        .containsExactly(parcels, percent);
    assertThat(ofDestinations(scene, "*")).containsExactly(orders, parcels, percent, plain);
    assertThat(ofDestinations(scene, "fake:shop")).isEmpty();
    assertThat(ofDestinations(scene, "FAKE:shop.orders")).isEmpty();
  }

  private static List<MessageId> ofDestinations(DeskScene scene, String... texts) {
    return scene.ids(Stage.WAITING, new GivenFilter().destinations(texts).filter());
  }

  @Test
  default void textsOfAFilterAreTakenLiterallyAndByCase() {
    DeskScene scene = new DeskScene(fixture());
    MessageId meant = scene.put(Stage.WAITING, of("50%_'x'").type("Paid").createdBy("Käse 世界 😀"));
    scene.put(Stage.WAITING, of("50ab'x'").type("paid").createdBy("kase 世界 😀"));

    assertThat(scene.ids(Stage.WAITING, new GivenFilter().key("50%_'x'").filter()))
        .containsExactly(meant);
    assertThat(scene.ids(Stage.WAITING, new GivenFilter().type("Paid").filter()))
        .containsExactly(meant);
    assertThat(scene.ids(Stage.WAITING, new GivenFilter().createdBy("Käse 世界 😀").filter()))
        .containsExactly(meant);
  }

  @Test
  default void idsOfOtherStagesAndOfNoneAreNotFound() {
    DeskScene scene = new DeskScene(fixture());
    MessageId waiting = scene.put(Stage.WAITING);
    MessageId unknown = new MessageId(new UUID(0x0190_0000_0000_7000L, Long.MIN_VALUE | 4711));
    MessageFilter filter = new GivenFilter().ids(waiting, unknown).filter();

    for (Stage stage : Stage.values()) {
      MessagePage page = scene.search(stage, filter);

      assertThat(idsOf(page))
          .as(stage.name())
          .isEqualTo(stage == Stage.WAITING ? List.of(waiting) : List.of());
      assertThat(page.next()).as(stage.name()).isNull();
      assertThat(page.scanned().complete()).as(stage.name()).isTrue();
    }
  }

  @Test
  default void keyIsFoundForEachDestination() {
    DeskScene scene = new DeskScene(fixture());
    MessageId orders = scene.put(Stage.WAITING, of("4711"));
    MessageId other = scene.put(Stage.WAITING, Message.of(OTHER, "x").key("4711"));

    assertThat(scene.ids(Stage.WAITING, new GivenFilter().key("4711").filter()))
        .containsExactly(orders, other);
    assertThat(
            scene.ids(
                Stage.WAITING,
                new GivenFilter().destinations(OTHER.toString()).key("4711").filter()))
        .containsExactly(other);
  }

  private static Message of(String key) {
    return Message.of(StoreScene.ORDERS, "text").key(key);
  }
}
