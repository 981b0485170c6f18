package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** That the contract of operations can fail: each planted fault must be noticed by its test. */
@Tag("once") // of the suites, which no other JDK changes
class OperationMutantTest {
  private static final int TESTS_MIN = 30;

  @Test
  void operationsWithoutAFaultPass() {
    TckRun run = TckRun.of(MutatedOperations.class, OperationMutant.NONE);

    assertThat(run.failed()).isEmpty();
    assertThat(run.passed()).hasSizeGreaterThan(TESTS_MIN).containsAll(noticing());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedFaultIsNoticed(OperationMutant mutant) {
    TckRun run = TckRun.of(MutatedOperations.class, mutant, mutant.noticedBy());

    assertThat(run.failed()).containsOnlyKeys(mutant.noticedBy());
    assertThat(run.failed().get(mutant.noticedBy())).isInstanceOf(AssertionError.class);
  }

  private static List<String> noticing() {
    return Arrays.stream(OperationMutant.values())
        .filter(mutant -> mutant != OperationMutant.NONE)
        .map(OperationMutant::noticedBy)
        .toList();
  }
}
