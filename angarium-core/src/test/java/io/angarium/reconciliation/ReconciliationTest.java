package io.angarium.reconciliation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ReconciliationTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Window HOUR = new Window(BEGIN, BEGIN.plus(Duration.ofHours(1)));

  /** Keys with their times in memory; knows how many it gave. */
  private static final class Side implements ReconciledSide {
    private record Entry(String key, Instant at) {}

    private final List<Entry> entries = new ArrayList<>();
    private int largestLoaded;

    /** Comes between the digest and the keys. */
    private @Nullable String arriving;

    private boolean loading;

    Side add(String key, int second) {
      entries.add(new Entry(key, BEGIN.plusSeconds(second)));
      return this;
    }

    Side addMany(int count) {
      IntStream.range(0, count).forEach(i -> add("key " + i, i % 3_600));
      return this;
    }

    @Override
    public String name() {
      return "side";
    }

    @Override
    public Digest digest(Window window) {
      loading = false;
      Digest digest = ReconciledSide.super.digest(window);
      loading = true;
      if (arriving != null) {
        add(arriving, 2);
        arriving = null;
      }
      return digest;
    }

    @Override
    public void keys(Window window, Consumer<String> each) {
      List<String> keys =
          entries.stream()
              .filter(e -> !e.at().isBefore(window.from()) && e.at().isBefore(window.to()))
              .map(Entry::key)
              .toList();
      if (loading) {
        largestLoaded = Math.max(largestLoaded, keys.size());
      }
      keys.forEach(each);
    }
  }

  private static Report compare(Side produced, Side consumed) {
    return new Reconciliation(produced, consumed).compare(HOUR);
  }

  @Test
  void equalSidesAgreeInAnyOrder() {
    Side produced = new Side().add("a", 1).add("b", 2);
    Side consumed = new Side().add("b", 2).add("a", 1);

    Report report = compare(produced, consumed);

    assertThat(report.agrees()).isTrue();
    assertThat(report.produced().count()).isEqualTo(2);
    assertThat(report.missing()).isEmpty();
    assertThat(consumed.largestLoaded).isZero();
  }

  @Test
  void everyKindOfDifferenceIsNamed() {
    Side produced = new Side().add("both", 1).add("lost", 2).add("twice", 3);
    Side consumed = new Side().add("both", 1).add("twice", 3).add("twice", 3).add("strange", 4);

    Report report = compare(produced, consumed);

    assertThat(report.agrees()).isFalse();
    assertThat(report.missing()).containsExactly("lost");
    assertThat(report.unexpected()).containsExactly("strange");
    assertThat(report.repeated()).containsExactly("twice");
    assertThat(report.complete()).isTrue();
    assertThat(report)
        .hasToString(
            "2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z: 3 produced, 4 consumed, 1 missing, 1"
                + " unexpected, 1 repeated");
  }

  @Test
  void keyThatTheSecondSideHasLessOftenIsMissing() {
    Side produced = new Side().add("twice", 3).add("twice", 3);
    Side consumed = new Side().add("twice", 3);

    Report report = compare(produced, consumed);

    assertThat(report.missing()).containsExactly("twice");
    assertThat(report.repeated()).isEmpty();
  }

  @Test
  void keyThatComesWhileTheWindowIsReadIsNoDifference() {
    Side produced = new Side().add("a", 1).add("late", 2);
    Side consumed = new Side().add("a", 1);
    consumed.arriving = "late";

    Report report = compare(produced, consumed);

    assertThat(report.agrees()).isTrue();
    assertThat(report.consumed().count()).isEqualTo(2);
  }

  @Test
  void windowThatNeverRestsIsReportedWithoutKeys() {
    Side produced = new Side().add("a", 1);
    ReconciledSide restless =
        new ReconciledSide() {
          @Override
          public String name() {
            return "restless";
          }

          @Override
          public Digest digest(Window window) {
            return Digest.NONE;
          }

          @Override
          public void keys(Window window, Consumer<String> each) {
            produced.keys(window, each);
          }
        };

    Report report = new Reconciliation(produced, restless).compare(HOUR);

    assertThat(report.agrees()).isFalse();
    assertThat(report.missing()).isEmpty();
    assertThat(report.complete()).isTrue();
  }

  @Test
  void largeWindowIsHalvedUntilFewKeysAreLoaded() {
    Side produced = new Side().addMany(60_000).add("lost", 1_234);
    Side consumed = new Side().addMany(60_000);

    assertThat(compare(produced, consumed).missing()).containsExactly("lost");
    assertThat(produced.largestLoaded).isBetween(1, Reconciliation.LOADED_MAX);
  }

  @Test
  void reportHoldsNoMoreThanItMay() {
    Report report = compare(new Side().addMany(15_000), new Side());

    assertThat(report.missing()).hasSize(Report.KEYS_MAX);
    assertThat(report.complete()).isFalse();
  }

  @Test
  void reportOfAMillisecondHoldsAllOfThem() {
    Side produced = new Side();
    IntStream.range(0, 15_000).forEach(i -> produced.add("key " + i, 1));
    Window shortest = new Window(BEGIN.plusSeconds(1), BEGIN.plusSeconds(1).plusMillis(1));

    Report report = new Reconciliation(produced, new Side()).compare(shortest);

    assertThat(report.missing()).hasSize(15_000);
    assertThat(report.complete()).isTrue();
  }

  @Test
  void keysOutsideOfTheWindowDoNotCount() {
    Side produced = new Side().add("before", -1).add("at its end", 3_600);

    assertThat(compare(produced, new Side())).matches(Report::agrees);
  }

  @Test
  void digestIsThatOfTheDocument() {
    assertThat(Digest.NONE.plus("abc")).isEqualTo(new Digest(1, 0xba7816bf8f01cfeaL));
    assertThat(Digest.NONE.plus("a").plus("b")).isEqualTo(Digest.NONE.plus("b").plus("a"));
  }

  @Test
  void emptyWindowIsRefused() {
    assertThatThrownBy(() -> new Window(BEGIN, BEGIN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: at least a millisecond");
  }
}
