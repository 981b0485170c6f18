package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.spring.settings.AngariumProperties;

/** What an application is set up for, as far as its configuration must fit to it. */
public enum Purpose {
  /** It has an outbox, so what its relay and its transports need must be there. */
  SEND,
  /** It has an inbox only: brokers need to be known for receipts, if it sends any. */
  CONSUME;

  /** Whether there are transports to brokers. */
  boolean hasTransports(AngariumProperties properties) {
    boolean wanted = this == SEND || properties.confirmation().reportTo() != null;
    return wanted && properties.relay().enabled();
  }
}
