package io.angarium.simulation;

import io.angarium.store.OutboxStore;
import java.util.function.Supplier;

/** A store in which a mutant replaces a method. */
public class Planted extends HookedOutboxStore {
  static final Hooks DIRECT =
      new Hooks() {
        @Override
        public <T> T around(String call, Supplier<T> work) {
          return work.get();
        }
      };

  protected Planted(OutboxStore store) {
    this(store, DIRECT);
  }

  protected Planted(OutboxStore store, Hooks around) {
    super(store, around);
  }
}
