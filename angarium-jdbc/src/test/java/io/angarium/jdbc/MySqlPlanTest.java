package io.angarium.jdbc;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMySql;
import javax.sql.DataSource;

@OnOneJdk
@RequiresMySql
final class MySqlPlanTest implements MySqlPlans {
  private final DataSource database = EmptyDatabase.mySql();

  @Override
  public DataSource database() {
    return database;
  }
}
