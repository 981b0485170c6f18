package io.angarium.testkit.alert;

import static io.angarium.testkit.alert.AlertScene.ADA;
import static io.angarium.testkit.alert.AlertScene.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.alert.AlertKey;
import io.angarium.alert.Silence;
import io.angarium.desk.ActBy;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Silences. Part of {@link AlertTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface SilenceTck extends AlertFixtureTck {
  @Test
  default void silencesAreListedByTheirEnds() {
    Silence longer =
        fixture().desk().silence("circuit-open", "kafka:*", Duration.ofMinutes(5), ADA);
    Silence shorter = fixture().desk().silence("*", "*", Duration.ofMinutes(1), ADA);

    assertThat(fixture().store().silences()).containsExactly(shorter, longer);
    assertThat(Duration.between(longer.from(), longer.until())).isEqualTo(Duration.ofMinutes(5));
    assertThat(longer.by()).isEqualTo("ada");
    assertThat(longer.reason()).isEqualTo("the broker restarts");
    assertThat(longer.rule()).isEqualTo("circuit-open");
    assertThat(longer.subject()).isEqualTo("kafka:*");
    assertThat(longer.covers(new AlertKey("circuit-open", "kafka:orders"), longer.from())).isTrue();
  }

  @Test
  default void silencesEndByThemselves() {
    Silence silence = fixture().desk().silence("*", "*", LEASE, ADA);

    fixture().endSilences();

    assertThat(fixture().store().silences()).isEmpty();
    assertThat(fixture().desk().silences()).isEmpty();
    assertThat(fixture().desk().lift(silence.id(), ADA)).isFalse();
    assertThat(fixture().audit()).as("nothing was lifted").hasSize(1);
  }

  @Test
  default void silenceIsLiftedOnce() {
    Silence silence = fixture().desk().silence("*", "*", Duration.ofMinutes(5), ADA);

    assertThat(fixture().desk().lift(silence.id(), ADA)).isTrue();
    assertThat(fixture().desk().lift(silence.id(), ADA)).isFalse();
    assertThat(fixture().desk().lift(-1, ADA)).isFalse();

    assertThat(fixture().desk().silences()).isEmpty();
  }

  @Test
  default void silenceOutOfRangeIsRefused() {
    Stream.of(Duration.ofSeconds(59), Silence.MAX.plusMillis(1), Duration.ofDays(-1))
        .forEach(
            length ->
                assertThatThrownBy(() -> fixture().desk().silence("*", "*", length, ADA))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1m..30d"));
    assertThatThrownBy(() -> fixture().desk().silence("", "*", LEASE, ADA))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fixture().desk().silence("*", "x".repeat(301), LEASE, ADA))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(fixture().audit()).isEmpty();
  }

  @Test
  default void silenceIsReadAsItWasBegun() {
    String hostile = "'\"\\;--%_?*".repeat(30);
    ActBy by = ActBy.of("b".repeat(128), "😀".repeat(500), ActBy.Via.PAGE);
    Instant before = scene().turn().now();

    Silence silence = fixture().desk().silence("*".repeat(64), hostile, Silence.MAX, by);

    assertThat(fixture().store().silences()).containsExactly(silence);
    assertThat(fixture().desk().silences()).containsExactly(silence);
    assertThat(silence.from()).isBetween(before, scene().turn().now());
    assertThat(silence.until()).isEqualTo(silence.from().plus(Silence.MAX));
    assertThat(silence.subject()).isEqualTo(hostile);
    assertThat(silence.by()).isEqualTo(by.decision().by());
    assertThat(silence.reason()).isEqualTo(by.decision().reason());
  }

  @Test
  default void sameSilenceBegunTwiceIsTwo() {
    Silence first = fixture().desk().silence("*", "*", LEASE, ADA);
    Silence second = fixture().desk().silence("*", "*", LEASE, ADA);
    assertThat(second.id()).isNotEqualTo(first.id());

    fixture().desk().lift(first.id(), ADA);

    assertThat(fixture().store().silences()).containsExactly(second);
  }
}
