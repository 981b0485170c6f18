package io.angarium.tests.spring;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@OnOneBoot
@RequiresServer(Server.MARIADB)
class MariaDbStylesTest extends StylesContract {
  @Override
  Database newDatabase() {
    return Database.mariaDb();
  }
}
