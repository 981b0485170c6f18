package io.angarium.testkit.tck;

import io.angarium.testkit.memory.InMemoryStoreFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on an in-memory store with a planted fault; run by {@link StoreMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedStore implements StoreTck {
  private final StoreFixture fixture;

  MutatedStore(StoreMutant mutant) {
    fixture = new PlantedStoreFixture(new InMemoryStoreFixture(), mutant);
  }

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
