package io.angarium.testservers;

/** Tells the person at the terminal why nothing seems to happen for a while. */
final class Progress {
  private Progress() {}

  static void say(String message) {
    System.err.println("[test servers] " + message);
  }
}
