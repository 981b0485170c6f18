package io.angarium.testkit;

class InMemoryStoreTest implements StoreTck {
  private final StoreFixture fixture = new InMemoryStoreFixture();

  @Override
  public StoreFixture fixture() {
    return fixture;
  }
}
