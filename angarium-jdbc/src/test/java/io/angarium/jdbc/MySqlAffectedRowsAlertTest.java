package io.angarium.jdbc;

import io.angarium.testkit.alert.AlertFixture;
import io.angarium.testkit.alert.AlertTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMySql;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** With a driver that does not count a row which an update leaves as it was. */
@OnOneJdk
@RequiresMySql
final class MySqlAffectedRowsAlertTest implements AlertTck {
  private static JdbcAlertFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcAlertFixture(EmptyDatabase.mySqlThatCountsChanges());
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
