package io.angarium.half.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** In which order half messages are looked at. */
class StalePreparedSearchTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final ManualClock clock = ManualClock.create();
  private final Rows rows = new Rows();
  private final StalePreparedSearch search =
      new StalePreparedSearch(rows, CheckBackConfig.DEFAULTS, clock);

  /** Numbers, all of which are old enough; notes which are looked at. */
  private static final class Rows implements CheckStore {
    final TreeSet<Long> numbers = new TreeSet<>();
    final List<Long> looked = new ArrayList<>();

    @Override
    public long last() {
      return numbers.isEmpty() ? 0 : numbers.last();
    }

    @Override
    public Entered enter(long after, Duration age) {
      List<Long> page = numbers.tailSet(after, false).stream().limit(BATCH_MAX).toList();
      looked.addAll(page);
      return page.isEmpty()
          ? new Entered(after, false)
          : new Entered(page.get(page.size() - 1), page.size() == BATCH_MAX);
    }

    @Override
    public Claimed claim(int limit, Duration claim) {
      return new Claimed(List.of(), false);
    }

    @Override
    public void putOff(Collection<DueCheck> checks, Duration pause) {}

    @Override
    public void note(Collection<NotedCheck> checks) {}

    @Override
    public void strike(Collection<DueCheck> checks) {}

    @Override
    public boolean giveUp(NotedCheck last) {
      return false;
    }
  }

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      search.round();
    }
  }

  @Test
  void everyNumberIsLookedAtOnceAfterTheStart() {
    rounds(2);
    rows.looked.clear();
    for (long i = 1; i <= 3; i++) {
      rows.numbers.add(i);
    }

    rounds(5);

    assertThat(rows.looked).containsExactly(1L, 2L, 3L);
  }

  @Test
  void numberThatAppearsBelowIsFoundByTheNextSweep() {
    rows.numbers.addAll(List.of(1L, 3L));
    rounds(3);
    rows.numbers.add(2L);
    rows.looked.clear();

    rounds(3);
    assertThat(rows.looked).isEmpty();
    clock.advance(HOUR);
    rounds(1);

    assertThat(rows.looked).contains(2L);
  }

  @Test
  void sweepsGoBackADayAtTheLeastAndEveryDayToTheBegin() {
    rows.numbers.addAll(List.of(1L, 2L));
    rounds(2);
    rows.numbers.add(9L);
    rounds(1);
    List<List<Long>> sweeps = new ArrayList<>();

    for (int i = 0; i < 48; i++) {
      rows.looked.clear();
      clock.advance(HOUR);
      rounds(1);
      sweeps.add(List.copyOf(rows.looked));
    }

    assertThat(sweeps.subList(0, 24)).containsOnly(List.of(1L, 2L, 9L));
    assertThat(sweeps.subList(24, 47)).containsOnly(List.of(9L));
    assertThat(sweeps.get(47)).containsExactly(1L, 2L, 9L);
  }

  @Test
  void nodeThatStartsLooksAtWhatIsFreshFirst() {
    for (long i = 1; i <= 200_000; i++) {
      rows.numbers.add(i);
    }

    rounds(1);

    assertThat(rows.looked.get(0)).isEqualTo(200_000 - StalePreparedSearch.START_BACK + 1);
    rounds(20);
    assertThat(new TreeSet<>(rows.looked)).hasSize(200_000);
  }

  @Test
  void nodeThatStartsSweepsTheNewestStretchesFirst() {
    for (long i = 10; i <= 2_000_000; i += 10) {
      rows.numbers.add(i);
    }

    rounds(100);

    assertThat(rows.looked.indexOf(900_010L)).isBetween(0, rows.looked.indexOf(10L));
    assertThat(new TreeSet<>(rows.looked)).isEqualTo(rows.numbers);
  }
}
