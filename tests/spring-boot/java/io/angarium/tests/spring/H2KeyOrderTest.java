package io.angarium.tests.spring;

@OnBootFour
class H2KeyOrderTest extends KeyOrderContract {
  @Override
  Database newDatabase() {
    Database database = Database.h2();
    return new Database(
        database.url() + ";LOCK_TIMEOUT=60000", database.user(), database.password());
  }
}
