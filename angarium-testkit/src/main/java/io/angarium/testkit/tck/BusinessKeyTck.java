package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.StoreScene.A;
import static io.angarium.testkit.tck.StoreScene.B;
import static io.angarium.testkit.tck.StoreScene.ids;
import static io.angarium.testkit.tck.StoreScene.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of unique business keys. Part of {@link OutboxStoreTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface BusinessKeyTck extends FixtureTck {

  @Test
  default void secondUseIsRefused() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> first = scene.commit(about(scene, "1", Uniqueness.REFUSE));

    assertThatThrownBy(() -> scene.commit(about(scene, "1", Uniqueness.REFUSE)))
        .isInstanceOf(DuplicateBusinessKeyException.class)
        .hasMessageContaining("1");

    assertThat(ids(scene.unsent())).isEqualTo(ids(first));
  }

  @Test
  default void secondUseIsDroppedWhereThatWasChosen() {
    StoreScene scene = new StoreScene(fixture());
    List<StoredMessage> first = scene.commit(about(scene, "1", Uniqueness.IGNORE));
    NewMessage other = scene.keyed(B);

    scene.commit(about(scene, "1", Uniqueness.IGNORE), other);

    assertThat(ids(scene.unsent())).containsExactly(first.get(0).id(), other.id());
  }

  @Test
  default void pairsThatNeedNotBeUniqueMayRepeat() {
    StoreScene scene = new StoreScene(fixture());

    scene.commit(about(scene, "1", Uniqueness.NONE));
    scene.commit(about(scene, "1", Uniqueness.NONE), about(scene, "1", Uniqueness.NONE));

    assertThat(scene.unsent()).hasSize(3);
  }

  @Test
  default void otherKeyOrOtherTypeIsAnotherPair() {
    StoreScene scene = new StoreScene(fixture());
    scene.commit(about(scene, "1", Uniqueness.REFUSE));

    scene.commit(about(scene, "2", Uniqueness.REFUSE));
    scene.commit(
        scene.of(
            StoreScene.message("x").key(A).business(new BusinessKey("T", "1", Uniqueness.REFUSE))));

    assertThat(scene.unsent()).hasSize(3);
  }

  @Test
  default void pairsDifferInCaseAndTrailingSpace() {
    StoreScene scene = new StoreScene(fixture());

    for (String key : List.of("a", "A", "a ", "\u00e4", "a\u0308")) {
      scene.commit(about(scene, key, Uniqueness.REFUSE));
    }

    assertThat(scene.unsent()).hasSize(5);
  }

  @Test
  default void pairIsRememberedAfterTheMessageWasSent() {
    StoreScene scene = new StoreScene(fixture());
    scene.outbox.delete(positions(scene.commit(about(scene, "1", Uniqueness.REFUSE))));

    assertThatThrownBy(() -> scene.commit(about(scene, "1", Uniqueness.REFUSE)))
        .isInstanceOf(DuplicateBusinessKeyException.class);
  }

  @Test
  default void rollbackFreesThePair() {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction open = scene.open(about(scene, "1", Uniqueness.REFUSE))) {
      open.rollback();
    }

    assertThat(scene.commit(about(scene, "1", Uniqueness.REFUSE))).hasSize(1);
  }

  @Test
  default void pairRepeatsWithinATransactionAreNoticed() {
    StoreScene scene = new StoreScene(fixture());

    assertThatThrownBy(
            () ->
                scene.commit(
                    about(scene, "1", Uniqueness.REFUSE), about(scene, "1", Uniqueness.REFUSE)))
        .isInstanceOf(DuplicateBusinessKeyException.class);
    assertThat(scene.unsent()).isEmpty();
    scene.commit(about(scene, "2", Uniqueness.IGNORE), about(scene, "2", Uniqueness.IGNORE));
    assertThat(scene.unsent()).hasSize(1);
  }

  @Test
  default void ofTwoAtOnceOneIsRefused() throws Exception {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction open = scene.open(about(scene, "1", Uniqueness.REFUSE))) {
      NewMessage second = about(scene, "1", Uniqueness.REFUSE);
      CompletableFuture<String> other = commitElsewhere(scene, second);

      open.commit();

      assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("refused");
    }
    assertThat(scene.unsent()).hasSize(1);
  }

  @Test
  default void ofTwoAtOnceOneIsDropped() throws Exception {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction open = scene.open(about(scene, "1", Uniqueness.IGNORE))) {
      NewMessage second = about(scene, "1", Uniqueness.IGNORE);
      CompletableFuture<String> other = commitElsewhere(scene, second);

      open.commit();

      assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("committed");
    }
    assertThat(scene.unsent()).hasSize(1);
  }

  @Test
  default void secondOfTwoAtOnceGoesThroughWhenTheFirstRollsBack() throws Exception {
    StoreScene scene = new StoreScene(fixture());
    NewMessage second = about(scene, "1", Uniqueness.REFUSE);
    try (StoreFixture.OpenTransaction open = scene.open(about(scene, "1", Uniqueness.REFUSE))) {
      CompletableFuture<String> other = commitElsewhere(scene, second);

      open.rollback();

      assertThat(other.get(30, TimeUnit.SECONDS)).isEqualTo("committed");
    }
    assertThat(ids(scene.unsent())).containsExactly(second.id());
  }

  private static NewMessage about(StoreScene scene, String key, Uniqueness uniqueness) {
    return scene.of(
        StoreScene.message("x").key(A).business(new BusinessKey("order-paid", key, uniqueness)));
  }

  private static CompletableFuture<String> commitElsewhere(StoreScene scene, NewMessage message) {
    StoreFixture.OpenTransaction transaction = scene.fixture.begin();
    return CompletableFuture.supplyAsync(
        () -> {
          try (transaction) {
            transaction.insert(List.of(message));
            transaction.commit();
            return "committed";
          } catch (DuplicateBusinessKeyException e) {
            return "refused";
          }
        });
  }
}
