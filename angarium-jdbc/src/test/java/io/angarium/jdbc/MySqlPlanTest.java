package io.angarium.jdbc;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;

@OnOneJdk
@RequiresServer(Server.MYSQL)
final class MySqlPlanTest implements MySqlPlans {
  private final DataSource database = EmptyDatabase.mySql();

  @Override
  public DataSource database() {
    return database;
  }
}
