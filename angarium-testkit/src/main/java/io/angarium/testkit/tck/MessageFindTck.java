package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.STAGES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link io.angarium.desk.MessageBrowser#find} and {@link
 * io.angarium.desk.MessageBrowser#payload}. Part of {@link MessageBrowserTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface MessageFindTck extends DeskFixtureTck {

  @Test
  default void messageIsFoundInEveryStageWithItsHeaders() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      scene.put(stage);
      Message message = scene.message(stage).header("colour", "blue").header("größe", "");
      MessageId id = scene.put(stage, message);
      MessageRow listed = scene.listed(stage, id);
      Instant before = fixture().now();

      for (SearchDepth depth : SearchDepth.values()) {
        FoundMessage found = scene.desk.messages().find(id, depth);

        assertThat(found.id()).isEqualTo(id);
        assertThat(found.now()).isBetween(before, fixture().now());
        assertThat(found.places())
            .as(depth + " " + stage)
            .contains(new MessageDetails(listed, message.headers()));
      }
    }
  }

  @Test
  default void messageIsInTheStageThatHasItOnly() {
    DeskScene scene = new DeskScene(fixture());
    List<MessageId> ids = new ArrayList<>();
    STAGES.forEach(stage -> ids.add(scene.put(stage)));

    for (int i = 0; i < ids.size(); i++) {
      FoundMessage found = scene.desk.messages().find(ids.get(i), SearchDepth.ALL);

      Stage stage = STAGES.get(i);
      assertThat(stages(found))
          .isEqualTo(
              stage == Stage.UNCONFIRMED ? List.of(Stage.SENT, Stage.UNCONFIRMED) : List.of(stage));
      assertThat(found.complete()).as(stage.name()).isTrue();
    }
  }

  private static List<Stage> stages(FoundMessage found) {
    return found.places().stream().map(place -> place.row().stage()).toList();
  }

  @Test
  default void messageWhoseIdSaysAnotherTimeIsFoundInTheEndOrTheSearchIsNotComplete() {
    DeskScene scene = new DeskScene(fixture());
    StoredMessage row = scene.store.commit(scene.store.keyed(StoreScene.A)).get(0);

    for (Stage stage : List.of(Stage.WAITING, Stage.SENT)) {
      FoundMessage likely = scene.desk.messages().find(row.id(), SearchDepth.LIKELY);
      FoundMessage all = scene.desk.messages().find(row.id(), SearchDepth.ALL);

      assertThat(stages(all)).containsExactly(stage);
      assertThat(all.complete()).isTrue();
      if (likely.complete()) {
        assertThat(stages(likely)).containsExactly(stage);
      }
      scene.store.outbox.delete(List.of(row.position()));
    }
  }

  @Test
  default void unknownMessageIsInNoStage() {
    DeskScene scene = new DeskScene(fixture());
    STAGES.forEach(scene::put);
    long time = fixture().now().toEpochMilli() << 16 | 0x7000;
    MessageId unknown = new MessageId(new UUID(time, Long.MIN_VALUE | 4711));

    for (SearchDepth depth : SearchDepth.values()) {
      assertThat(scene.desk.messages().find(unknown, depth).places()).isEmpty();
    }
    assertThat(scene.desk.messages().find(unknown, SearchDepth.ALL).complete()).isTrue();
  }

  @Test
  default void requeuedMessageShowsWhoRequeuedIt() {
    DeskScene scene = new DeskScene(fixture());
    MessageId id = scene.put(Stage.DEAD);

    scene.store.outbox.deadLetters().requeue(List.of(id), "ann");

    FoundMessage found = scene.desk.messages().find(id, SearchDepth.ALL);
    assertThat(stages(found)).containsExactly(Stage.WAITING);
    assertThat(found.places().get(0).row().updatedBy()).isEqualTo("ann");
    assertThat(scene.only(Stage.WAITING).updatedBy()).isEqualTo("ann");
  }

  @Test
  default void payloadOfEveryStageIsReadInSlices() {
    DeskScene scene = new DeskScene(fixture());
    MessageBrowser browser = scene.desk.messages();
    byte[] payload = new byte[300];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }

    for (Stage stage : STAGES) {
      Message plain = scene.message(stage);
      MessageId id = scene.put(stage, Message.of(plain.destination(), payload).key(plain.key()));
      MessageRow row = scene.listed(stage, id);

      assertThat(browser.payload(row, 0, MessageBrowser.PAYLOAD_BYTES_MAX))
          .as(stage.name())
          .hasValue(payload);
      assertThat(browser.payload(row, 0, 300)).as(stage.name()).hasValue(payload);
      assertThat(browser.payload(row, 0, 1)).hasValue(new byte[] {0});
      assertThat(browser.payload(row, 1, 2)).hasValue(new byte[] {1, 2});
      assertThat(browser.payload(row, 250, 100)).hasValue(Arrays.copyOfRange(payload, 250, 300));
      assertThat(browser.payload(row, 299, 1)).hasValue(new byte[] {43});
      assertThat(browser.payload(row, 300, 9)).as(stage.name()).hasValue(new byte[0]);
      assertThat(browser.payload(row, 1L << 40, 9)).as(stage.name()).hasValue(new byte[0]);
    }
  }

  @Test
  default void payloadOfAnEmptyMessageHasNoBytes() {
    DeskScene scene = new DeskScene(fixture());
    scene.put(Stage.WAITING, Message.of(StoreScene.ORDERS, new byte[0]));

    MessageRow row = scene.only(Stage.WAITING);

    assertThat(scene.desk.messages().payload(row, 0, 9)).hasValue(new byte[0]);
    assertThat(scene.desk.messages().payload(row, 1, 9)).hasValue(new byte[0]);
  }

  @Test
  default void largePayloadComesInPartsOfTheLargestSize() {
    DeskScene scene = new DeskScene(fixture());
    int max = MessageBrowser.PAYLOAD_BYTES_MAX;
    byte[] payload = "0123456789".repeat(max / 5).getBytes(StandardCharsets.US_ASCII);
    scene.put(Stage.WAITING, Message.of(StoreScene.ORDERS, payload));
    MessageRow row = scene.only(Stage.WAITING);

    assertThat(row.payloadBytes()).isEqualTo(payload.length);
    assertThat(scene.desk.messages().payload(row, 0, max)).hasValue(Arrays.copyOf(payload, max));
    assertThat(scene.desk.messages().payload(row, max, max))
        .hasValue(Arrays.copyOfRange(payload, max, payload.length));
  }

  @Test
  default void numbersOutOfRangeAreRefused() {
    DeskScene scene = new DeskScene(fixture());
    MessageBrowser browser = scene.desk.messages();
    scene.put(Stage.WAITING);
    MessageRow row = scene.only(Stage.WAITING);

    assertThatIllegalArgumentException().isThrownBy(() -> browser.payload(row, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> browser.payload(row, 0, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> browser.payload(row, 0, MessageBrowser.PAYLOAD_BYTES_MAX + 1));
  }

  @Test
  default void messageThatHasMovedHasNoPayloadWhereItWas() {
    DeskScene scene = new DeskScene(fixture());
    MessageBrowser browser = scene.desk.messages();

    for (Stage stage : List.of(Stage.WAITING, Stage.RETRYING, Stage.DEAD)) {
      MessageId id = scene.put(stage);
      MessageRow row = scene.listed(stage, id);
      assertThat(browser.payload(row, 0, 9)).as(stage.name()).isPresent();

      scene.remove(stage, id);

      assertThat(browser.payload(row, 0, 9)).as(stage.name()).isEmpty();
    }
  }

  @Test
  default void payloadIsThatOfTheMessageAndNotOfItsPlace() {
    DeskScene scene = new DeskScene(fixture());

    for (Stage stage : STAGES) {
      MessageId id = scene.put(stage);
      MessageRow row = scene.listed(stage, id);
      MessageId other = new MessageId(new UUID(id.value().getMostSignificantBits(), 4711));

      assertThat(scene.desk.messages().payload(withId(row, other), 0, 9))
          .as(stage.name())
          .isEmpty();
    }
  }

  private static MessageRow withId(MessageRow row, MessageId id) {
    return new MessageRow(
        row.stage(),
        row.position(),
        id,
        row.destination(),
        row.key(),
        row.type(),
        row.businessType(),
        row.businessKey(),
        row.createdBy(),
        row.updatedBy(),
        row.payloadBytes(),
        row.attempts(),
        row.createdAt(),
        row.at(),
        row.dueAt(),
        row.error(),
        row.blocksKey());
  }
}
