package io.angarium.jdbc;

import io.angarium.testkit.alert.AlertFixture;
import io.angarium.testkit.alert.AlertTck;

final class H2AlertTest implements AlertTck {
  private final AlertFixture fixture = new JdbcAlertFixture(EmptyDatabase.h2InMemory());

  @Override
  public AlertFixture fixture() {
    return fixture;
  }
}
