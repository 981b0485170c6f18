package io.angarium.architecture.planted.store;

import io.angarium.architecture.planted.relay.RelayOfStore;

/** A store that knows the relay, which knows the store. */
public interface StoreOfRelay {
  /** Closes the circle. */
  RelayOfStore relay();
}
