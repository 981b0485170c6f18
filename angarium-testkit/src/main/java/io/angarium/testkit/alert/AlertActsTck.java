package io.angarium.testkit.alert;

import static io.angarium.testkit.alert.AlertScene.ADA;
import static io.angarium.testkit.alert.AlertScene.KEY;
import static io.angarium.testkit.alert.AlertScene.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.angarium.StoreException;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.Silence;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What persons do with alerts. Part of {@link AlertTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface AlertActsTck extends AlertFixtureTck {
  @Test
  default void whoHasTakenItStaysWhileItIsOn() {
    Alert alert = scene().saved(AlertState.FIRING);
    assertThat(fixture().desk().take(KEY, null, ADA)).isTrue();
    Alert.Taken taken = Objects.requireNonNull(fixture().store().alerts().get(0).taken());
    assertThat(taken.by()).isEqualTo("ada");
    assertThat(taken.note()).isEqualTo("the broker restarts");

    fixture().store().save(scene().turn(), List.of(alert), List.of());
    assertThat(fixture().store().alerts().get(0).taken()).isEqualTo(taken);

    fixture()
        .store()
        .save(scene().turn(), List.of(AlertScene.alert(KEY, AlertState.RESOLVED)), List.of());
    fixture().store().save(scene().turn(), List.of(alert), List.of());
    assertThat(fixture().store().alerts().get(0).taken()).isNull();
  }

  @Test
  default void onlyWhatIsOnIsTaken() {
    assertThat(fixture().desk().take(KEY, null, ADA)).isFalse();
    scene().saved(AlertState.PENDING);
    assertThat(fixture().desk().take(KEY, null, ADA)).isFalse();
    scene().saved(AlertState.RESOLVED);
    assertThat(fixture().desk().take(KEY, null, ADA)).isFalse();

    assertThat(fixture().audit()).isEmpty();
  }

  @Test
  default void everyActIsInTheAudit() {
    scene().saved(AlertState.FIRING);
    fixture().desk().take(KEY, null, ADA);
    Silence silence = fixture().desk().silence("*", "kafka:*", LEASE, ADA);
    fixture().desk().lift(silence.id(), ADA);

    assertThat(fixture().audit())
        .extracting(AuditEntry::act, AuditEntry::targetKind, AuditEntry::target)
        .containsExactly(
            tuple("lift-silence", "silence", Long.toString(silence.id())),
            tuple("silence-alerts", "silence", "* kafka:*"),
            tuple("take-alert", "alert", "circuit-open " + KEY.subject()));
    assertThat(fixture().audit())
        .allSatisfy(entry -> assertThat(entry.by().decision().by()).isEqualTo("ada"));
  }

  @Test
  default void actWithoutItsEntryDoesNotHappen() {
    scene().saved(AlertState.FIRING);
    Silence silence = fixture().desk().silence("*", "*", Duration.ofMinutes(5), ADA);
    fixture().breakAudit();
    try {
      assertThatThrownBy(() -> fixture().desk().take(KEY, null, ADA))
          .isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> fixture().desk().silence("x", "*", LEASE, ADA))
          .isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> fixture().desk().lift(silence.id(), ADA))
          .isInstanceOf(StoreException.class);
    } finally {
      fixture().mendAudit();
    }

    assertThat(fixture().store().alerts().get(0).taken()).isNull();
    assertThat(fixture().store().silences()).containsExactly(silence);
  }

  @Test
  default void actOnTheLongestKeyIsNoted() {
    AlertKey longest =
        new AlertKey("r".repeat(AlertKey.RULE_LENGTH_MAX), "s".repeat(AlertKey.SUBJECT_LENGTH_MAX));
    fixture()
        .store()
        .save(scene().turn(), List.of(AlertScene.alert(longest, AlertState.FIRING)), List.of());

    assertThat(fixture().desk().take(longest, null, ADA)).isTrue();

    assertThat(fixture().audit()).hasSize(1);
  }

  @Test
  default void alertIsTakenOver() {
    scene().saved(AlertState.FIRING);
    fixture().desk().take(KEY, null, ADA);

    ActBy bob = ActBy.of("bob", "my turn", ActBy.Via.API);
    assertThat(fixture().desk().take(KEY, "ada", bob)).isTrue();

    assertThat(Objects.requireNonNull(fixture().desk().alerts().get(0).taken()).by())
        .isEqualTo("bob");
    assertThat(fixture().audit())
        .extracting(entry -> entry.by().decision().by(), entry -> entry.by().via())
        .containsExactly(tuple("bob", ActBy.Via.API), tuple("ada", ActBy.Via.PAGE));
  }

  @Test // two tabs that both show an alert which nobody has
  default void alertThatSomebodyElseTookMeanwhileIsNotTaken() {
    scene().saved(AlertState.FIRING);
    fixture().desk().take(KEY, null, ADA);
    ActBy bob = ActBy.of("bob", "mine", ActBy.Via.PAGE);

    assertThat(fixture().desk().take(KEY, null, bob)).isFalse();
    assertThat(fixture().desk().take(KEY, "carl", bob)).isFalse();

    assertThat(Objects.requireNonNull(fixture().desk().alerts().get(0).taken()).by())
        .isEqualTo("ada");
    assertThat(fixture().audit()).hasSize(1);
  }

  @Test
  default void noteOfFullLengthIsKept() {
    scene().saved(AlertState.FIRING);
    ActBy by = ActBy.of("😀".repeat(64), "'\"\\;-- 漢".repeat(125), ActBy.Via.PAGE);
    Instant before = scene().turn().now();

    fixture().desk().take(KEY, null, by);

    Alert.Taken taken = Objects.requireNonNull(fixture().desk().alerts().get(0).taken());
    assertThat(taken.by()).isEqualTo(by.decision().by());
    assertThat(taken.note()).isEqualTo(by.decision().reason());
    assertThat(taken.at()).isBetween(before, scene().turn().now());
    assertThat(fixture().audit()).extracting(AuditEntry::by).containsExactly(by);
  }
}
