package io.angarium.tests.spring;

import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;

@OnOneJdk
@RequiresServer(Server.MARIADB)
class MariaDbStylesTest extends StylesContract {
  @Override
  Database newDatabase() {
    return Database.mariaDb();
  }
}
