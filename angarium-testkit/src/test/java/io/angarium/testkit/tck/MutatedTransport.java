package io.angarium.testkit.tck;

import io.angarium.testkit.fake.FakeTransportFixture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on a fake transport with a planted fault; run by {@link TransportMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedTransport implements TransportTck {
  private static final Duration SHORT = Duration.ofMillis(300);

  /** Late enough for a call to return first, also on a busy machine. */
  private static final Executor LATE = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  private final TransportFixture fixture;

  MutatedTransport(TransportMutant mutant) {
    // What a mutant keeps back is not worth waiting for.
    Duration patience = mutant == TransportMutant.NONE ? Duration.ofSeconds(30) : SHORT;
    fixture = new FakeTransportFixture(mutant.keptOrder(), LATE, patience, mutant::plant);
  }

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
