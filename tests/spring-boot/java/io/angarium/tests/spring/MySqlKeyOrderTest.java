package io.angarium.tests.spring;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@OnOneBoot
@RequiresServer(Server.MYSQL)
class MySqlKeyOrderTest extends KeyOrderContract {
  @Override
  Database newDatabase() {
    return Database.mySql();
  }
}
