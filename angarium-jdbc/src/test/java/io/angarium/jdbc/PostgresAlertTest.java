package io.angarium.jdbc;

import io.angarium.testkit.alert.AlertFixture;
import io.angarium.testkit.alert.AlertTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@RequiresServer(Server.POSTGRESQL)
final class PostgresAlertTest implements AlertTck {
  private static JdbcAlertFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcAlertFixture(EmptyDatabase.postgres());
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
