package io.angarium.tests.spring;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@OnOneBoot
@RequiresServer(Server.MYSQL)
class MySqlStylesTest extends StylesContract {
  @Override
  Database newDatabase() {
    return Database.mySql();
  }
}
