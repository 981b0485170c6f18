package io.angarium.testkit.memory;

import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.DeskTck;

public class InMemoryDeskTest implements DeskTck {
  private final DeskFixture fixture = new InMemoryDeskFixture();

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
