package io.angarium.tests.spring;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@OnOneBoot
@RequiresServer(Server.POSTGRESQL)
class PostgresKeyOrderTest extends KeyOrderContract {
  @Override
  Database newDatabase() {
    return Database.postgres();
  }
}
