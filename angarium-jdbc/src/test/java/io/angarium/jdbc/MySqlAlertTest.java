package io.angarium.jdbc;

import io.angarium.testkit.alert.AlertFixture;
import io.angarium.testkit.alert.AlertTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMySql;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMySql
final class MySqlAlertTest implements AlertTck {
  private static JdbcAlertFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcAlertFixture(EmptyDatabase.mySql());
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
