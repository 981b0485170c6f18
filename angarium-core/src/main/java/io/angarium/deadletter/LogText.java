package io.angarium.deadletter;

/** Tells which texts a log line may show as they are. */
final class LogText {
  private LogText() {}

  /** False if a character could end the line or change what a terminal shows. */
  static boolean isOneLine(String text) {
    return text.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
  }
}
