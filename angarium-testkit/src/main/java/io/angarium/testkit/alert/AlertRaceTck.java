package io.angarium.testkit.alert;

import static io.angarium.testkit.alert.AlertScene.ADA;
import static io.angarium.testkit.alert.AlertScene.KEY;
import static io.angarium.testkit.alert.AlertScene.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore.Turn;
import io.angarium.alert.Told;
import io.angarium.desk.ActBy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Several threads at once. Part of {@link AlertTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface AlertRaceTck extends AlertFixtureTck {
  /** How often two threads meet. */
  int MEETINGS = 20;

  @Test
  default void oneOfTwoWhoTakeAnAlertAtOnceHasIt() {
    scene().saved(AlertState.FIRING);
    ActBy bob = ActBy.of("bob", "mine", ActBy.Via.PAGE);

    List<Boolean> taken =
        AlertScene.together(
            () -> fixture().desk().take(KEY, null, ADA),
            () -> fixture().desk().take(KEY, null, bob));

    assertThat(taken).containsExactlyInAnyOrder(true, false);
    Alert.Taken by = Objects.requireNonNull(fixture().store().alerts().get(0).taken());
    assertThat(by.by()).isEqualTo(taken.get(0) ? "ada" : "bob");
    assertThat(fixture().audit())
        .extracting(entry -> entry.by().decision().by())
        .containsExactly(by.by());
  }

  @Test
  default void alertThatEndsWhileItIsTakenBelongsToNobody() {
    List<Alert> over = List.of(AlertScene.alert(KEY, AlertState.RESOLVED));
    int taken = 0;
    for (int i = 0; i < MEETINGS; i++) {
      scene().saved(AlertState.FIRING);
      Turn turn = scene().turn();
      List<Boolean> done =
          AlertScene.together(
              () -> fixture().desk().take(KEY, null, ADA),
              () -> fixture().store().save(turn, over, List.of()));

      assertThat(done.get(1)).isTrue();
      assertThat(fixture().store().alerts()).isEqualTo(over);
      taken += done.get(0) ? 1 : 0;
    }

    assertThat(fixture().audit()).hasSize(taken);
  }

  @Test
  default void sameNoticeIsNotedByTwo() {
    Told told = AlertScene.told("pager", Told.What.NOTHING, "away");
    for (int i = 0; i < MEETINGS; i++) {
      scene().saved(AlertState.FIRING);

      AlertScene.together(() -> isNoted(told), () -> isNoted(told));

      assertThat(fixture().store().told()).containsExactly(told);
      fixture().store().save(scene().turn(), List.of(), List.of(KEY));
    }
  }

  @Test
  default void noNoticeIsLeftOfAnAlertThatIsDeletedMeanwhile() {
    Told told = AlertScene.told("pager", Told.What.NOTHING, "away");
    for (int i = 0; i < MEETINGS; i++) {
      scene().saved(AlertState.FIRING);
      Turn turn = scene().turn();

      AlertScene.together(
          () -> isNoted(told), () -> fixture().store().save(turn, List.of(), List.of(KEY)));

      assertThat(fixture().store().told()).isEmpty();
    }
  }

  private boolean isNoted(Told told) {
    fixture().store().note(List.of(told));
    return true;
  }

  @Test
  default void turnThatIsTakenMeanwhileIsLostOrHasWrittenBefore() {
    List<Alert> alerts = List.of(AlertScene.alert(KEY, AlertState.FIRING));
    for (int i = 0; i < MEETINGS; i++) {
      Turn turn = scene().turn();
      List<Boolean> done =
          AlertScene.together(
              () -> fixture().store().save(turn, alerts, List.of()),
              () -> {
                fixture().store().end("a");
                return fixture().store().begin("b", LEASE) != null;
              });

      assertThat(done.get(1)).isTrue();
      assertThat(fixture().store().alerts()).hasSize(done.get(0) ? 1 : 0);
      Turn ofB = Objects.requireNonNull(fixture().store().begin("b", LEASE));
      assertThat(fixture().store().save(ofB, List.of(), List.of(KEY))).isTrue();
      fixture().store().end("b");
    }
  }
}
