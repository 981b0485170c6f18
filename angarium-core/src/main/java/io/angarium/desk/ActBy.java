package io.angarium.desk;

import io.angarium.deadletter.Decision;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Who acts, why, and by what means. Immutable.
 *
 * @param via by what means
 * @param operation the operation that the act belongs to; null for an act of its own
 */
public record ActBy(Decision decision, Via via, @Nullable UUID operation) {
  /** The means of an act. */
  public enum Via {
    /** The console's page. */
    PAGE,
    /** A program that calls the operator API, or a program of one's own. */
    API,
    /** Angarium itself. */
    SYSTEM
  }

  /** An act of its own. */
  public static ActBy of(String by, String reason, Via via) {
    return new ActBy(new Decision(by, reason), via, null);
  }
}
