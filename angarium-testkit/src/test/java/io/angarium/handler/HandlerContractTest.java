package io.angarium.handler;

import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testkit.tck.TransportTck;
import java.time.Duration;

class HandlerContractTest implements TransportTck {
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private final TransportFixture fixture =
      new HandlerTransportFixture(HandlerConfig.DEFAULTS.hold(LONGEST).timeout(LONGEST));

  @Override
  public TransportFixture fixture() {
    return fixture;
  }
}
