package io.angarium.tests.spring;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@OnOneBoot
@RequiresServer(Server.MARIADB)
class MariaDbKeyOrderTest extends KeyOrderContract {
  @Override
  Database newDatabase() {
    return Database.mariaDb();
  }
}
