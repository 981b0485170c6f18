package io.angarium.jdbc;

import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.MessageBrowserTck;

final class H2BrowserTest implements MessageBrowserTck {
  private final DeskFixture fixture =
      new JdbcDeskFixture(EmptyDatabase.h2InMemory(), BrowserDesk::of);

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
