package io.angarium.jdbc;

import io.angarium.testkit.tck.StoreFixture;
import io.angarium.testkit.tck.StoreTck;

final class H2StoreTest implements StoreTck {
  private final StoreFixture fixture = new JdbcStoreFixture(EmptyDatabase.h2InMemory());

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
