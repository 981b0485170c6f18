package io.angarium.testservers;

import java.util.Optional;

/** Settings of the whole test run: a system property, or else an environment variable. */
final class Settings {
  private Settings() {}

  static Optional<String> find(String property, String variable) {
    String value = System.getProperty(property);
    if (value == null) {
      value = System.getenv(variable);
    }
    return Optional.ofNullable(value).map(String::strip).filter(text -> !text.isEmpty());
  }
}
