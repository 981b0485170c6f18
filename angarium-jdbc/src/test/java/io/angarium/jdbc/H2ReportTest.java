package io.angarium.jdbc;

import io.angarium.testkit.report.ReportFixture;
import io.angarium.testkit.report.ReportTck;

final class H2ReportTest implements ReportTck {
  private final ReportFixture fixture = new JdbcReportFixture(EmptyDatabase.h2InMemory());

  @Override
  public ReportFixture fixture() {
    return fixture;
  }
}
