package io.angarium.jdbc;

import io.angarium.testkit.alert.AlertFixture;
import io.angarium.testkit.alert.AlertTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMariaDb
final class MariaDbAlertTest implements AlertTck {
  private static JdbcAlertFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcAlertFixture(EmptyDatabase.mariaDb());
  }

  @BeforeEach
  void empty() {
    fixture.empty();
  }

  @Override
  public AlertFixture fixture() {
    return fixture;
  }
}
