package io.angarium.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.intake.Position;
import io.angarium.server.problem.ProblemException;
import io.angarium.spring.operate.DeadLetterItem;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Up to which instant an operation goes, and where it continues. A client that forges a token can
 * choose both, but a filter permits as much. Immutable.
 *
 * @param until only what was given up by then is touched
 * @param after the position to continue behind; null for the beginning
 */
public record ConsoleToken(Instant until, @Nullable Position after) {
  private static final String WRONG =
      "token: not the token of a preview (expected: token of a preview or of a paused operation)";

  /** Returns the token as the text that clients keep. */
  public String text() {
    String cursor = DeadLetterItem.cursor(after);
    String plain = until + "/" + (cursor == null ? "" : cursor);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(UTF_8));
  }

  /**
   * Reads it.
   *
   * @throws ProblemException if it is none
   */
  static ConsoleToken of(@Nullable String text) {
    if (text == null) {
      throw ConsoleJson.invalid(
          "token: none (expected: token of a preview or of a paused operation)");
    }
    try {
      String[] parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split("/", 2);
      if (parts.length == 2) {
        return new ConsoleToken(
            Instant.parse(parts[0]),
            parts[1].isEmpty() ? null : DeadLetterItem.position(parts[1]).orElseThrow());
      }
    } catch (IllegalArgumentException | DateTimeParseException | NoSuchElementException e) {
      throw ConsoleJson.invalid(WRONG);
    }
    throw ConsoleJson.invalid(WRONG);
  }
}
