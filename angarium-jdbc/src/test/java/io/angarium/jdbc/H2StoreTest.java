package io.angarium.jdbc;

import io.angarium.testkit.StoreFixture;
import io.angarium.testkit.StoreTck;

final class H2StoreTest implements StoreTck {
  private final StoreFixture fixture = new JdbcStoreFixture(EmptyDatabase.h2InMemory());

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
