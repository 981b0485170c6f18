package io.angarium.testkit.memory;

import io.angarium.testkit.tck.StoreFixture;
import io.angarium.testkit.tck.StoreTck;

public class InMemoryStoreTest implements StoreTck {
  private final StoreFixture fixture = new InMemoryStoreFixture();

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
