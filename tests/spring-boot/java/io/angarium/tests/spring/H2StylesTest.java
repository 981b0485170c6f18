package io.angarium.tests.spring;

class H2StylesTest extends StylesContract {
  @Override
  Database newDatabase() {
    return Database.h2();
  }
}
