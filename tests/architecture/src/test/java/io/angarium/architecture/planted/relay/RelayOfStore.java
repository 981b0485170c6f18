package io.angarium.architecture.planted.relay;

import io.angarium.architecture.planted.store.StoreOfRelay;

/** A relay that knows the store, as it may. */
public interface RelayOfStore {
  /** Half of the circle. */
  StoreOfRelay store();
}
