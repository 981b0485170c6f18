package io.angarium.jdbc;

import io.angarium.testkit.report.ReportFixture;
import io.angarium.testkit.report.ReportTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@RequiresServer(Server.POSTGRESQL)
final class PostgresReportTest implements ReportTck {
  private static JdbcReportFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcReportFixture(EmptyDatabase.postgres());
  }

  @BeforeEach
  void empty() {
    fixture.empty();
  }

  @Override
  public ReportFixture fixture() {
    return fixture;
  }
}
