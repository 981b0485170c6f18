package io.angarium.jdbc;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import javax.sql.DataSource;

@OnOneJdk
@RequiresMariaDb
final class MariaDbConcurrencyTest implements MySqlConcurrency {
  private final DataSource database = EmptyDatabase.mariaDb();

  @Override
  public DataSource database() {
    return database;
  }
}
