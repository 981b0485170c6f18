package io.angarium.architecture.planted;

final class PlantedDialect {
  private PlantedDialect() {}

  static String read() {
    return "SELECT 1";
  }
}
