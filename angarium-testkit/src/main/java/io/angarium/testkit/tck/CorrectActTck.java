package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.DeskScene.ANN;
import static io.angarium.testkit.tck.DeskScene.OTHER;
import static io.angarium.testkit.tck.DeskScene.deadIds;
import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ELSEWHERE;
import static io.angarium.testkit.tck.StoreScene.ORDERS;
import static io.angarium.testkit.tck.StoreScene.OTHER_PARTITION;
import static io.angarium.testkit.tck.StoreScene.PARTITION;
import static io.angarium.testkit.tck.StoreScene.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.desk.Stage;
import io.angarium.intake.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How {@link MessageActs#correct} changes dead letters. Part of {@link DeskActsTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface CorrectActTck extends DeskFixtureTck {
  private static Correction payload(String text) {
    return new Correction(null, text.getBytes(StandardCharsets.UTF_8), null, null);
  }

  private static Correction key(String key) {
    return new Correction(null, null, null, key);
  }

  private static ActResult correct(DeskScene scene, MessageId id, Correction change) {
    return scene.desk.acts().correct(List.of(id), change, ANN);
  }

  private static StoredMessage unsent(DeskScene scene, MessageId id) {
    List<StoredMessage> found =
        scene.store.unsent().stream().filter(row -> row.id().equals(id)).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static Message whole() {
    return StoreScene.message("x")
        .key(A)
        .type("order-paid")
        .header("tenant", "eu")
        .business("order", "4711")
        .createdBy("shop");
  }

  @Test
  default void redirectedLetterIsEnqueuedForItsNewDestination() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD, StoreScene.message("x").key(A));

    ActResult result = correct(scene, dead, Correction.redirect(OTHER));

    assertThat(result.done()).containsExactly(dead);
    StoredMessage sent = unsent(scene, dead);
    assertThat(sent.message().destination()).isEqualTo(OTHER);
    assertThat(sent.position().partition()).isEqualTo(DeskScene.partitionOf(OTHER, A));
    assertThat(sent.attempts()).isZero();
    assertThat(deadIds(scene)).isEmpty();
  }

  @Test
  default void partsThatAreNotGivenStay() {
    DeskScene scene = new DeskScene(fixture());
    MessageId redirected = scene.put(Stage.DEAD, whole());
    MessageId rewritten = scene.put(Stage.DEAD, whole());

    correct(scene, redirected, Correction.redirect(OTHER));
    correct(scene, rewritten, payload("y"));

    Message other = unsent(scene, redirected).message();
    Message fresh = unsent(scene, rewritten).message();
    assertThat(other.payload()).isEqualTo(whole().payload());
    assertThat(fresh.destination()).isEqualTo(ORDERS);
    assertThat(List.of(other, fresh))
        .allSatisfy(
            each -> {
              assertThat(each.key()).isEqualTo(A);
              assertThat(each.type()).isEqualTo("order-paid");
              assertThat(each.headers().asMap()).isEqualTo(Map.of("tenant", "eu"));
              assertThat(each.business()).isEqualTo(whole().business());
              assertThat(each.createdBy()).isEqualTo("shop");
            });
  }

  @Test
  default void payloadHeadersAndKeyAreReplaced() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD, whole());
    MessageId bare = scene.put(Stage.DEAD, whole());
    byte[] bytes = {0, -1, 'y', '\n'};

    correct(
        scene,
        dead,
        new Correction(null, bytes, Headers.EMPTY.with("trace", "a:b\nc\\"), ELSEWHERE));
    correct(scene, bare, new Correction(null, new byte[0], Headers.EMPTY, null));

    StoredMessage fresh = unsent(scene, dead);
    assertThat(fresh.message().payload()).isEqualTo(bytes);
    assertThat(fresh.message().headers().asMap()).isEqualTo(Map.of("trace", "a:b\nc\\"));
    assertThat(fresh.message().key()).isEqualTo(ELSEWHERE);
    assertThat(fresh.position().partition()).isEqualTo(OTHER_PARTITION);
    assertThat(unsent(scene, bare).message().payload()).isEmpty();
    assertThat(unsent(scene, bare).message().headers().isEmpty()).isTrue();
  }

  @Test
  default void correctedBlockerThatKeepsItsKeyTakesItsPlaceBeforeTheWaitingOnes() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows = scene.blockedKey(A, 3);

    correct(
        scene,
        rows.get(0).id(),
        new Correction(ORDERS, "y".getBytes(StandardCharsets.UTF_8), null, A));

    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(rows));
    StoredMessage head = scene.store.due().get(0);
    assertThat(head.id()).isEqualTo(rows.get(0).id());
    assertThat(head.message().payload()).asString().isEqualTo("y");
    assertThat(head.attempts()).isZero();
    assertThat(deadIds(scene)).isEmpty();
  }

  @Test
  default void correctedBlockerThatLeavesItsKeyLetsTheWaitingOnesGoOn() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> redirected = scene.blockedKey(A, 3);
    List<StoredMessage> alone = scene.blockedKey(B, 1);

    correct(scene, redirected.get(0).id(), Correction.redirect(OTHER));
    correct(scene, alone.get(0).id(), key(ELSEWHERE));

    assertThat(ids(scene.store.due())).containsExactly(redirected.get(1).id());
    assertThat(scene.store.parkedOf(A)).isEqualTo(ids(redirected.subList(1, 3)));
    assertThat(scene.store.blocked(PARTITION)).containsExactly(StoreScene.hash(A));
    assertThat(ids(scene.store.unsent()))
        .containsExactly(redirected.get(0).id(), alone.get(0).id());
  }

  @Test
  default void correctedLetterComesLastInTheKeyThatItJoins() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD, StoreScene.message("x").key(A));
    MessageId waiting = scene.put(Stage.WAITING, StoreScene.message("y").key(ELSEWHERE));
    MessageId joinsBlocked = scene.put(Stage.DEAD, StoreScene.message("x").key(ELSEWHERE));
    List<StoredMessage> blocked = scene.blockedKey(B, 2);

    correct(scene, dead, key(ELSEWHERE));
    correct(scene, joinsBlocked, key(B));

    assertThat(ids(scene.store.unsent())).containsExactly(waiting, dead, joinsBlocked);
    assertThat(unsent(scene, joinsBlocked).position().partition()).isEqualTo(PARTITION);
    assertThat(scene.store.parkedOf(B)).containsExactly(blocked.get(1).id());
    assertThat(deadIds(scene)).containsExactly(blocked.get(0).id());
    assertThat(scene.store.due()).isEmpty();
  }

  @Test
  default void letterWithoutAKeyIsRedirectedAndMayGetOne() {
    DeskScene scene = new DeskScene(fixture());
    MessageId redirected = scene.put(Stage.DEAD, StoreScene.message("x"));
    MessageId keyed = scene.put(Stage.DEAD, StoreScene.message("x"));

    correct(scene, redirected, Correction.redirect(OTHER));
    correct(scene, keyed, key(ELSEWHERE));

    StoredMessage other = unsent(scene, redirected);
    assertThat(other.message().destination()).isEqualTo(OTHER);
    assertThat(other.message().key()).isNull();
    assertThat(other.position().partition()).isNegative();
    assertThat(unsent(scene, keyed).position().partition()).isEqualTo(OTHER_PARTITION);
  }

  @Test
  default void correctionIsCheckedAsAMessageIsWhenItIsSent() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD, whole());
    int tooMuch = MessageLimits.DEFAULTS.payloadBytesMax() + 1;
    List<Correction> wrong =
        List.of(
            Correction.redirect(Destination.parse("kafka:no topic")),
            new Correction(null, new byte[tooMuch], null, null),
            new Correction(null, null, Headers.EMPTY.with("angarium-id", "1"), null),
            new Correction(null, null, Headers.EMPTY.with("x", "\0"), null),
            key("k".repeat(MessageLimits.DEFAULTS.keyBytesMax() + 1)),
            key("half \uD83D"));

    assertThat(wrong)
        .allSatisfy(
            change ->
                assertThatExceptionOfType(InvalidMessageException.class)
                    .isThrownBy(() -> correct(scene, dead, change)));

    assertThat(deadIds(scene)).containsExactly(dead);
    assertThat(scene.desk.audit().page(AuditQuery.newest(10))).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Correction(null, null, null, null))
        .withMessageContaining("nothing changes");
  }

  @Test
  default void auditNamesThePartsThatWereCorrectedAndNoValue() {
    DeskScene scene = new DeskScene(fixture());
    MessageId dead = scene.put(Stage.DEAD, whole());
    Headers headers = Headers.EMPTY.with("secret-header", "secret-value");
    Destination address = Destination.parse("http:https://user:secret@shop.example/hook?t=secret");

    correct(
        scene,
        dead,
        new Correction(address, "secret".getBytes(StandardCharsets.UTF_8), headers, "secret"));

    AuditEntry entry = scene.desk.audit().page(AuditQuery.newest(1)).get(0);
    assertThat(entry.details())
        .isEqualTo(
            "changed destination fake:orders to http:https://shop.example/hook, payload, headers,"
                + " key");
  }

  @Test
  default void asManyLettersAsOneCallTakesAreRedirectedInTheOrderOfTheirKeys() {
    DeskScene scene = new DeskScene(fixture());
    List<StoredMessage> rows =
        scene.store.commit(
            IntStream.range(0, MessageActs.IDS_MAX).mapToObj(i -> scene.store.keyed(A)).toList());
    scene.buryAll(rows);

    ActResult result = scene.desk.acts().correct(ids(rows), Correction.redirect(OTHER), ANN);

    assertThat(result.done()).hasSize(MessageActs.IDS_MAX);
    assertThat(ids(scene.store.unsent())).isEqualTo(ids(rows));
  }
}
