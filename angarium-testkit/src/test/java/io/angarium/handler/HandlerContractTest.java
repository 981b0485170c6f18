package io.angarium.handler;

import io.angarium.testkit.TransportFixture;
import io.angarium.testkit.TransportTck;
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
