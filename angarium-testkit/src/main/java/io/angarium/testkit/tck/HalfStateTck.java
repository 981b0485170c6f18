package io.angarium.testkit.tck;

import static io.angarium.half.HalfState.COMMITTED;
import static io.angarium.half.HalfState.COMMIT_REMEMBERED;
import static io.angarium.half.HalfState.PREPARED;
import static io.angarium.half.HalfState.ROLLBACK_REMEMBERED;
import static io.angarium.half.HalfState.ROLLED_BACK;
import static io.angarium.half.HalfState.UNKNOWN;
import static io.angarium.half.WhenUnknown.REMEMBER;
import static io.angarium.testkit.tck.HalfScene.KEY;
import static io.angarium.testkit.tck.HalfScene.assertRefused;
import static io.angarium.testkit.tck.HalfScene.key;
import static io.angarium.testkit.tck.HalfScene.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.angarium.StoreException;
import io.angarium.half.Refusal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What may follow what. Part of {@link HalfMessagesTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface HalfStateTck extends HalfFixtureTck {
  @Test
  default void preparedMessageIsNotSent() {
    assertThat(fixture().half().prepare(message(KEY))).isEqualTo(PREPARED);

    assertThat(fixture().sent()).isEmpty();
    assertThat(fixture().half().state(KEY)).isEqualTo(PREPARED);
    assertThat(fixture().another().state(KEY)).isEqualTo(PREPARED);
  }

  @Test
  default void committedMessageIsSent() {
    fixture().half().prepare(message(KEY));

    assertThat(fixture().another().commit(KEY)).isEqualTo(COMMITTED);

    assertThat(new HalfScene(fixture()).sent()).containsExactly("1");
    assertThat(fixture().half().state(KEY)).isEqualTo(COMMITTED);
  }

  @Test
  default void rolledBackMessageIsNeverSent() {
    fixture().half().prepare(message(KEY));

    assertThat(fixture().another().rollback(KEY)).isEqualTo(ROLLED_BACK);

    assertThat(fixture().sent()).isEmpty();
    assertThat(fixture().half().state(KEY)).isEqualTo(ROLLED_BACK);
  }

  @Test
  default void repeatedCommitAnswersTheSameAndSendsOnce() {
    fixture().half().prepare(message(KEY));
    fixture().half().commit(KEY);

    assertThat(fixture().half().commit(KEY)).isEqualTo(COMMITTED);
    assertThat(fixture().another().commit(KEY, REMEMBER)).isEqualTo(COMMITTED);

    assertThat(fixture().sent()).hasSize(1);
  }

  @Test
  default void repeatedRollbackAnswersTheSame() {
    fixture().half().prepare(message(KEY));
    fixture().half().rollback(KEY);

    assertThat(fixture().half().rollback(KEY)).isEqualTo(ROLLED_BACK);
    assertThat(fixture().another().rollback(KEY, REMEMBER)).isEqualTo(ROLLED_BACK);

    assertThat(fixture().sent()).isEmpty();
  }

  @Test
  default void commitAfterRollbackIsRefused() {
    fixture().half().prepare(message(KEY));
    fixture().half().rollback(KEY);

    assertRefused(Refusal.ALREADY_ROLLED_BACK, () -> fixture().half().commit(KEY));
    assertRefused(Refusal.ALREADY_ROLLED_BACK, () -> fixture().half().commit(KEY, REMEMBER));

    assertThat(fixture().sent()).isEmpty();
    assertThat(fixture().half().state(KEY)).isEqualTo(ROLLED_BACK);
  }

  @Test
  default void rollbackAfterCommitIsRefused() {
    fixture().half().prepare(message(KEY));
    fixture().half().commit(KEY);

    assertRefused(Refusal.ALREADY_COMMITTED, () -> fixture().half().rollback(KEY));
    assertRefused(Refusal.ALREADY_COMMITTED, () -> fixture().half().rollback(KEY, REMEMBER));

    assertThat(fixture().sent()).hasSize(1);
    assertThat(fixture().half().state(KEY)).isEqualTo(COMMITTED);
  }

  @Test
  default void repeatedPrepareKeepsTheFirstMessage() {
    fixture().half().prepare(message(KEY, "first"));

    assertThat(fixture().another().prepare(message(KEY, "second"))).isEqualTo(PREPARED);

    assertThat(fixture().sent()).isEmpty();
    fixture().half().commit(KEY);
    assertThat(new HalfScene(fixture()).sent()).containsExactly("first");
  }

  @Test
  default void prepareAfterCommitSendsNothingMore() {
    fixture().half().prepare(message(KEY));
    fixture().half().commit(KEY);

    assertThat(fixture().another().prepare(message(KEY, "late"))).isEqualTo(COMMITTED);
    assertThat(fixture().half().commit(KEY)).isEqualTo(COMMITTED);

    assertThat(new HalfScene(fixture()).sent()).containsExactly("1");
  }

  @Test
  default void prepareAfterRollbackIsRefused() {
    fixture().half().prepare(message(KEY));
    fixture().half().rollback(KEY);

    assertRefused(Refusal.ALREADY_ROLLED_BACK, () -> fixture().half().prepare(message(KEY)));

    assertThat(fixture().half().state(KEY)).isEqualTo(ROLLED_BACK);
  }

  @Test
  default void decisionForAnUnknownKeyIsRefusedAndNotRemembered() {
    assertRefused(Refusal.UNKNOWN, () -> fixture().half().commit(KEY));
    assertRefused(Refusal.UNKNOWN, () -> fixture().half().rollback(KEY));

    assertThat(fixture().half().state(KEY)).isEqualTo(UNKNOWN);
    assertThat(fixture().half().prepare(message(KEY))).isEqualTo(PREPARED);
    assertThat(fixture().sent()).isEmpty();
  }

  @Test
  default void commitBeforeItsPrepareIsRemembered() {
    assertThat(fixture().half().commit(KEY, REMEMBER)).isEqualTo(COMMIT_REMEMBERED);
    assertThat(fixture().another().commit(KEY, REMEMBER)).isEqualTo(COMMIT_REMEMBERED);
    assertThat(fixture().half().commit(KEY)).isEqualTo(COMMIT_REMEMBERED);
    assertThat(fixture().half().state(KEY)).isEqualTo(COMMIT_REMEMBERED);
    assertThat(fixture().sent()).isEmpty();

    assertThat(fixture().another().prepare(message(KEY))).isEqualTo(COMMITTED);
    assertThat(fixture().half().prepare(message(KEY, "again"))).isEqualTo(COMMITTED);

    assertThat(new HalfScene(fixture()).sent()).containsExactly("1");
    assertThat(fixture().half().state(KEY)).isEqualTo(COMMITTED);
  }

  @Test
  default void rollbackBeforeItsPrepareIsRemembered() {
    assertThat(fixture().half().rollback(KEY, REMEMBER)).isEqualTo(ROLLBACK_REMEMBERED);
    assertThat(fixture().half().state(KEY)).isEqualTo(ROLLBACK_REMEMBERED);

    assertRefused(Refusal.ALREADY_ROLLED_BACK, () -> fixture().another().prepare(message(KEY)));

    assertThat(fixture().half().state(KEY)).isEqualTo(ROLLED_BACK);
    assertRefused(Refusal.ALREADY_ROLLED_BACK, () -> fixture().half().commit(KEY));
    assertThat(fixture().sent()).isEmpty();
  }

  @Test
  default void rememberedDecisionIsAsGoodAsAnyOther() {
    fixture().half().commit(key("commit"), REMEMBER);
    fixture().half().rollback(key("rollback"), REMEMBER);

    assertRefused(
        Refusal.ALREADY_COMMITTED, () -> fixture().another().rollback(key("commit"), REMEMBER));
    assertRefused(
        Refusal.ALREADY_ROLLED_BACK, () -> fixture().another().commit(key("rollback"), REMEMBER));

    assertThat(fixture().half().states(List.of(key("commit"), key("rollback"))))
        .isEqualTo(Map.of(key("commit"), COMMIT_REMEMBERED, key("rollback"), ROLLBACK_REMEMBERED));
  }

  /** Its own call may fail; it is repeated. */
  @Test
  default void callerThatIsInterruptedStaysSoAndBreaksNothing() {
    boolean stayed;
    Thread.currentThread().interrupt();
    try {
      fixture().half().prepare(message(KEY));
    } catch (StoreException e) {
      assertThat(e.getMessage()).isNotEmpty();
    } finally {
      stayed = Thread.interrupted();
    }

    assertThat(stayed).isTrue();
    assertThatCode(() -> fixture().half().prepare(message(KEY))).doesNotThrowAnyException();
    assertThat(fixture().half().commit(KEY)).isEqualTo(COMMITTED);
    assertThat(fixture().sent()).hasSize(1);
  }
}
