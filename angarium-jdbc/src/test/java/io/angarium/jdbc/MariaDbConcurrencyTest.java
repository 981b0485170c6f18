package io.angarium.jdbc;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import javax.sql.DataSource;

@OnOneJdk
@RequiresServer(Server.MARIADB)
final class MariaDbConcurrencyTest implements MySqlConcurrency {
  private final DataSource database = EmptyDatabase.mariaDb();

  @Override
  public DataSource database() {
    return database;
  }
}
