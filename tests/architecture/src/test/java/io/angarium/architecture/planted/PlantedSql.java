package io.angarium.architecture.planted;

final class PlantedSql {
  private PlantedSql() {}

  static String read() {
    return "SELECT 1";
  }

  static final class Row {
    static String write() {
      return "DELETE FROM outbox";
    }
  }
}
