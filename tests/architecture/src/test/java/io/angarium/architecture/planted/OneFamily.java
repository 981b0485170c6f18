package io.angarium.architecture.planted;

final class OneFamily {
  private OneFamily() {}

  interface Dialect {}

  static final class Shared implements Dialect {
    static String read() {
      return "SELECT 1";
    }
  }
}
