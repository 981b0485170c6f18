package io.angarium.testkit.alert;

import static io.angarium.testkit.alert.AlertScene.KEY;
import static io.angarium.testkit.alert.AlertScene.SINCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore;
import io.angarium.alert.Severity;
import io.angarium.alert.Told;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is kept of what channels were told. Part of {@link AlertTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface AlertNoticeTck extends AlertFixtureTck {
  @Test
  default void noteIsReadAndReplaced() {
    scene().saved(AlertState.FIRING);
    Instant before = scene().turn().now();
    fixture().store().note(List.of(AlertScene.told("pager", Told.What.FIRING, null)));
    fixture().store().note(List.of(AlertScene.told("mail", Told.What.SILENCED, null)));
    fixture().store().note(List.of(AlertScene.told("pager", Told.What.RESOLVED, null)));

    assertThat(fixture().store().told())
        .extracting(Told::channel, Told::what, Told::episode, Told::severity, Told::failure)
        .containsExactlyInAnyOrder(
            tuple("pager", Told.What.RESOLVED, 3L, Severity.CRITICAL, null),
            tuple("mail", Told.What.SILENCED, 3L, Severity.CRITICAL, null));
    assertThat(fixture().store().told())
        .allSatisfy(each -> assertThat(each.at()).isBetween(before, scene().turn().now()));
    assertThat(fixture().desk().told()).hasSize(2);
  }

  @Test
  default void roundReadsAlertsWithWhatChannelsWereToldOfThem() {
    AlertKey untold = new AlertKey("r", "untold");
    scene().saved(AlertState.FIRING);
    fixture()
        .store()
        .save(scene().turn(), List.of(AlertScene.alert(untold, AlertState.PENDING)), List.of());
    fixture()
        .store()
        .note(
            List.of(
                AlertScene.told("pager", Told.What.FIRING, "it's away"),
                AlertScene.told("mail", Told.What.SILENCED, null)));

    AlertStore.Known known = fixture().store().known();

    assertThat(known.alerts()).isEqualTo(fixture().store().alerts()).hasSize(2);
    assertThat(known.told())
        .containsExactlyInAnyOrderElementsOf(fixture().store().told())
        .hasSize(2);
  }

  @Test // else a reminder that failed would be tried again only when the next one is due
  default void noteOfAFailureKeepsTheTime() {
    scene().saved(AlertState.FIRING);
    fixture().store().note(List.of(AlertScene.told("pager", Told.What.FIRING, "f".repeat(400))));

    Told told = fixture().store().told().get(0);
    assertThat(told.at()).isEqualTo(SINCE);
    assertThat(told.failure()).hasSize(Told.FAILURE_LENGTH_MAX);
  }

  @Test
  default void notesOfAlertsThatAreGoneArePassedOver() {
    scene().saved(AlertState.FIRING);
    fixture().store().note(List.of(AlertScene.told("pager", Told.What.FIRING, null)));
    fixture().store().save(scene().turn(), List.of(), List.of(KEY));
    assertThat(fixture().store().told()).isEmpty();

    fixture().store().note(List.of(AlertScene.told("pager", Told.What.FIRING, null)));
    fixture().store().note(List.of());

    assertThat(fixture().store().told()).isEmpty();
  }

  @Test
  default void deletedAlertLosesItsOwnNotesOnly() {
    AlertKey other = new AlertKey(KEY.rule(), KEY.subject() + " ");
    AlertKey gone = new AlertKey("r", "gone");
    scene().saved(AlertState.FIRING);
    fixture()
        .store()
        .save(scene().turn(), List.of(AlertScene.alert(other, AlertState.FIRING)), List.of());
    fixture()
        .store()
        .note(
            Stream.of(KEY, other, gone)
                .map(key -> AlertScene.told(key, "pager", Told.What.FIRING, null))
                .toList());
    assertThat(fixture().store().told()).hasSize(2);

    fixture().store().save(scene().turn(), List.of(), List.of(KEY));

    assertThat(fixture().store().told()).extracting(Told::key).containsExactly(other);
  }

  @Test
  default void failureOfFullLengthIsKept() {
    scene().saved(AlertState.FIRING);
    for (String failure : List.of("😀".repeat(150), "漢".repeat(300), "it's \"away\"; -- \\")) {
      Told told = AlertScene.told("pager'\" 😀", Told.What.NOTHING, failure);
      fixture().store().note(List.of(told));

      assertThat(fixture().store().told()).containsExactly(told);
    }
  }

  @Test
  default void sameFailureIsNotedAgain() {
    scene().saved(AlertState.FIRING);
    Told told = AlertScene.told("pager", Told.What.NOTHING, "time-out");
    fixture().store().note(List.of(told));

    fixture().store().note(List.of(told));

    assertThat(fixture().store().told()).containsExactly(told);
  }

  @Test
  default void noticesOfAllAlertsAreNotedAtOnce() {
    List<Alert> alerts =
        IntStream.range(0, AlertStore.ALERTS_MAX)
            .mapToObj(i -> AlertScene.alert(new AlertKey("many", "x" + i), AlertState.FIRING))
            .toList();
    fixture().store().save(scene().turn(), alerts, List.of());
    List<Told> told =
        alerts.stream()
            .map(each -> AlertScene.told(each.key(), "pager", Told.What.NOTHING, "away"))
            .toList();
    fixture().store().note(told.subList(0, 500));

    fixture().store().note(told);

    assertThat(fixture().store().told()).containsExactlyInAnyOrderElementsOf(told);
  }
}
