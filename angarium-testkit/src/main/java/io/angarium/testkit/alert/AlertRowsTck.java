package io.angarium.testkit.alert;

import static io.angarium.testkit.alert.AlertScene.ADA;
import static io.angarium.testkit.alert.AlertScene.KEY;
import static io.angarium.testkit.alert.AlertScene.SINCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertStore;
import io.angarium.alert.Severity;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept of alerts. Part of {@link AlertTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface AlertRowsTck extends AlertFixtureTck {
  @Test
  default void alertIsReadAsItWasSaved() {
    Alert pending = scene().saved(AlertState.PENDING);
    assertThat(fixture().store().alerts()).containsExactly(pending);

    Alert over =
        new Alert(
            KEY,
            AlertState.RESOLVED,
            Severity.INFO,
            -0.25,
            "x".repeat(1_000),
            Long.MAX_VALUE,
            SINCE,
            SINCE.plusSeconds(1),
            SINCE.plus(1, ChronoUnit.MICROS),
            null);
    assertThat(fixture().store().save(scene().turn(), List.of(over), List.of())).isTrue();
    assertThat(fixture().store().save(scene().turn(), List.of(over), List.of()))
        .isTrue(); // changes nothing

    assertThat(fixture().store().alerts()).containsExactly(over);
    assertThat(fixture().desk().alerts()).containsExactly(over);
  }

  @Test
  default void keysDifferByRuleSubjectAndCase() {
    List<AlertKey> keys =
        List.of(
            new AlertKey("a", "kafka:orders"),
            new AlertKey("a", "kafka:Orders"),
            new AlertKey("b", "kafka:orders"),
            new AlertKey("a", "kafka:orders "),
            new AlertKey("a".repeat(AlertKey.RULE_LENGTH_MAX), "😀".repeat(150)));
    fixture()
        .store()
        .save(
            scene().turn(),
            keys.stream().map(key -> AlertScene.alert(key, AlertState.FIRING)).toList(),
            List.of());

    fixture().store().save(scene().turn(), List.of(), List.of(keys.get(0)));

    assertThat(fixture().store().alerts())
        .extracting(Alert::key)
        .containsExactlyInAnyOrderElementsOf(keys.subList(1, keys.size()));
  }

  @Test
  default void alertsThatAreOnComeFirstAndTheWorstOfThem() {
    Alert resolved = AlertScene.alert(new AlertKey("r", "a"), AlertState.RESOLVED);
    Alert worst = AlertScene.alert(new AlertKey("r", "b"), AlertState.FIRING);
    Alert latest =
        new Alert(
            new AlertKey("r", "c"),
            AlertState.FIRING,
            Severity.WARNING,
            1,
            "text",
            1,
            SINCE.plusSeconds(9),
            null,
            null,
            null);
    Alert earlier =
        new Alert(
            new AlertKey("r", "d"),
            AlertState.FIRING,
            Severity.WARNING,
            1,
            "text",
            1,
            SINCE,
            null,
            null,
            null);
    fixture().store().save(scene().turn(), List.of(resolved, earlier, latest, worst), List.of());

    assertThat(fixture().desk().alerts()).containsExactly(worst, latest, earlier, resolved);
  }

  @Test
  default void manyAlertsAreKept() {
    List<Alert> many =
        IntStream.range(0, AlertStore.ALERTS_MAX)
            .mapToObj(i -> AlertScene.alert(new AlertKey("many", "kafka:" + i), AlertState.FIRING))
            .toList();
    fixture().store().save(scene().turn(), many, List.of());

    assertThat(fixture().store().alerts()).hasSize(AlertStore.ALERTS_MAX);
  }

  @Test
  default void manyAlertsChangeAndAreDeletedAtOnce() {
    List<AlertKey> keys =
        IntStream.range(0, AlertStore.ALERTS_MAX)
            .mapToObj(i -> new AlertKey("many", "kafka:" + i))
            .toList();
    List<Alert> pending =
        keys.stream().map(key -> AlertScene.alert(key, AlertState.PENDING)).toList();
    List<Alert> on =
        keys.stream().limit(100).map(key -> AlertScene.alert(key, AlertState.FIRING)).toList();
    fixture().store().save(scene().turn(), pending.subList(0, 500), List.of());

    fixture().store().save(scene().turn(), pending, List.of());
    assertThat(fixture().store().alerts()).containsExactlyInAnyOrderElementsOf(pending);
    fixture().store().save(scene().turn(), on, keys.subList(100, AlertStore.ALERTS_MAX));

    assertThat(fixture().store().alerts()).containsExactlyInAnyOrderElementsOf(on);
  }

  @Test
  default void textOfFullLengthIsKept() {
    for (String text : List.of("😀".repeat(500), "漢".repeat(1_000), "'\"\\%_;--{}?".repeat(90))) {
      Alert alert = AlertScene.alert(KEY, AlertState.FIRING, text);
      fixture().store().save(scene().turn(), List.of(alert), List.of());

      assertThat(fixture().store().alerts()).containsExactly(alert);
    }
  }

  @Test
  default void deletedAlertBeginsAnew() {
    Alert alert = scene().saved(AlertState.FIRING);
    fixture().desk().take(KEY, null, ADA);
    fixture().store().save(scene().turn(), List.of(), List.of(KEY));
    assertThat(fixture().store().alerts()).isEmpty();

    fixture().store().save(scene().turn(), List.of(alert), List.of());

    assertThat(fixture().store().alerts()).containsExactly(alert);
  }

  @Test
  default void alertThatIsGoneAlreadyIsPassedOver() {
    Alert alert = scene().saved(AlertState.FIRING);
    AlertKey gone = new AlertKey("r", "gone");

    assertThat(fixture().store().save(scene().turn(), List.of(), List.of(gone))).isTrue();

    assertThat(fixture().store().alerts()).containsExactly(alert);
  }
}
