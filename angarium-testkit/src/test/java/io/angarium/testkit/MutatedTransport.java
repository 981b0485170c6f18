package io.angarium.testkit;

import java.time.Duration;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on a fake transport with a planted fault; run by {@link TransportMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedTransport implements TransportTck {
  private static final Duration SHORT = Duration.ofMillis(300);

  private final TransportFixture fixture;

  MutatedTransport(TransportMutant mutant) {
    // What a mutant keeps back is not worth waiting for.
    Duration patience = mutant == TransportMutant.NONE ? Duration.ofSeconds(30) : SHORT;
    fixture =
        new FakeTransportFixture(
            mutant.keptOrder(), FakeTransportFixture.LATER, patience, mutant::plant);
  }

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
