package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** That {@link DeskTck} can fail: each planted fault must be noticed by the test it names. */
@Tag("once") // of the suites, which no other JDK changes
class DeskMutantTest {
  private static final int TESTS_MIN = 100;

  @Test
  void deskWithoutAFaultPasses() {
    TckRun run = TckRun.of(MutatedDesk.class, DeskMutant.NONE);

    assertThat(run.failed()).isEmpty();
    assertThat(run.passed()).hasSizeGreaterThan(TESTS_MIN).containsAll(noticing());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedFaultIsNoticed(DeskMutant mutant) {
    TckRun run = TckRun.of(MutatedDesk.class, mutant, mutant.noticedBy());

    assertThat(run.failed()).containsOnlyKeys(mutant.noticedBy());
    assertThat(run.failed().get(mutant.noticedBy())).isInstanceOf(AssertionError.class);
  }

  private static List<String> noticing() {
    return Arrays.stream(DeskMutant.values())
        .filter(mutant -> mutant != DeskMutant.NONE)
        .map(DeskMutant::noticedBy)
        .toList();
  }
}
