package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** That {@link TransportTck} can fail: each planted fault must be noticed by the test it names. */
@Tag("once") // of the suites, which no other JDK changes
class TransportMutantTest {
  private static final int TESTS_MIN = 30;

  /**
   * A fault that shows at certain moments only, which the suite meets mostly, but not each time,
   * and on an idle machine more seldom. A try takes a tenth of a second.
   */
  private static final int TRIES = 200;

  @Test
  void transportWithoutAFaultPasses() {
    TckRun run = TckRun.of(MutatedTransport.class, TransportMutant.NONE);

    assertThat(run.failed()).isEmpty();
    assertThat(run.passed()).hasSizeGreaterThan(TESTS_MIN).containsAll(noticing());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void plantedFaultIsNoticed(TransportMutant mutant) {
    TckRun run = TckRun.of(MutatedTransport.class, mutant, mutant.noticedBy());
    for (int i = 1; i < TRIES && mutant.showsAtMoments() && run.failed().isEmpty(); i++) {
      run = TckRun.of(MutatedTransport.class, mutant, mutant.noticedBy());
    }

    assertThat(run.failed()).containsOnlyKeys(mutant.noticedBy());
    assertThat(run.failed().get(mutant.noticedBy())).isInstanceOf(AssertionError.class);
  }

  private static List<String> noticing() {
    return Arrays.stream(TransportMutant.values())
        .filter(mutant -> mutant != TransportMutant.NONE)
        .map(TransportMutant::noticedBy)
        .toList();
  }
}
