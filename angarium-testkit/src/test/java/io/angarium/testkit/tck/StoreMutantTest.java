package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.OutboxException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** That {@link StoreTck} can fail: each planted fault must be noticed by the test it names. */
@Tag("once") // of the suites, which no other JDK changes
class StoreMutantTest {
  private static final int TESTS_MIN = 100;

  @Test
  void storeWithoutAFaultPasses() {
    TckRun run = TckRun.of(MutatedStore.class, StoreMutant.NONE);

    assertThat(run.failed()).isEmpty();
    assertThat(run.passed()).hasSizeGreaterThan(TESTS_MIN).containsAll(noticing());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedFaultIsNoticed(StoreMutant mutant) {
    TckRun run = TckRun.of(MutatedStore.class, mutant, mutant.noticedBy());

    assertThat(run.failed()).containsOnlyKeys(mutant.noticedBy());
    assertThat(run.failed().get(mutant.noticedBy()))
        .isInstanceOfAny(AssertionError.class, OutboxException.class);
  }

  private static List<String> noticing() {
    return Arrays.stream(StoreMutant.values())
        .filter(mutant -> mutant != StoreMutant.NONE)
        .map(StoreMutant::noticedBy)
        .toList();
  }
}
