package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** That {@link CheckBackTck} can fail: each planted fault must be noticed by the test it names. */
@Tag("once") // of the suites, which no other JDK changes
class CheckMutantTest {
  private static final int TESTS_MIN = 40;

  @Test
  void checkBackWithoutAFaultPasses() {
    TckRun run = TckRun.of(MutatedCheckBack.class, CheckMutant.NONE);

    assertThat(run.failed()).isEmpty();
    assertThat(run.passed()).hasSizeGreaterThan(TESTS_MIN).containsAll(noticing());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedFaultIsNoticed(CheckMutant mutant) {
    TckRun run = TckRun.of(MutatedCheckBack.class, mutant, mutant.noticedBy());

    assertThat(run.failed()).containsOnlyKeys(mutant.noticedBy());
    assertThat(run.failed().get(mutant.noticedBy())).isInstanceOf(AssertionError.class);
  }

  private static List<String> noticing() {
    return Arrays.stream(CheckMutant.values())
        .filter(mutant -> mutant != CheckMutant.NONE)
        .map(CheckMutant::noticedBy)
        .toList();
  }
}
