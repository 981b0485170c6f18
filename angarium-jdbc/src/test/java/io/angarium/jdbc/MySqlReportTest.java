package io.angarium.jdbc;

import io.angarium.testkit.report.ReportFixture;
import io.angarium.testkit.report.ReportTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMySql;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMySql
final class MySqlReportTest implements ReportTck {
  private static JdbcReportFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcReportFixture(EmptyDatabase.mySql());
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
