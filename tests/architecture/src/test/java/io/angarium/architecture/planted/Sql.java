package io.angarium.architecture.planted;

final class Sql {
  private Sql() {}

  static final class Store {
    static String delete(String table) {
      return "DELETE FROM " + table;
    }

    static String read() {
      return """
          SELECT id
          FROM outbox
          """;
    }
  }

  static final class Prose {
    static String text() {
      return "Select a store or set one up";
    }
  }
}
