package io.angarium.messagecentre.demo;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * What the centre signs its check-backs with and the order service knows them by, new in each run.
 * Processes find it in their environment, where the command line that everybody sees names it only.
 * Immutable.
 */
record Secret(String value) {
  private static final String VARIABLE = "CHECK_BACK_SECRET";
  private static final int BYTES = 32;

  /** Where a property takes it from. */
  static final String PLACEHOLDER = "${" + VARIABLE + "}";

  static Secret draw() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new Secret("whsec_" + Base64.getEncoder().encodeToString(bytes));
  }

  void in(ProcessBuilder process) {
    process.environment().put(VARIABLE, value);
  }

  @Override
  public String toString() {
    return "a secret";
  }
}
