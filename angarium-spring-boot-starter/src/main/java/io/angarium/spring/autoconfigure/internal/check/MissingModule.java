package io.angarium.spring.autoconfigure.internal.check;

/** How a fault says that something a property needs is not on the class path. */
final class MissingModule {
  private MissingModule() {}

  /**
   * Behind a switch that is on.
   *
   * @param property its full name
   * @param module what is missing, e.g. {@code angarium-http}
   */
  static String behindSwitch(String property, String module) {
    return property + ": true (expected: false, or " + missing(module) + ")";
  }

  /** Behind a value, which is not shown. */
  static String behindValue(String property, String module) {
    return property + ": given (expected: none, or " + missing(module) + ")";
  }

  private static String missing(String module) {
    return module + " on the class path";
  }
}
