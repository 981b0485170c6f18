package io.angarium.console.access;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A request that is refused by what stands around the console, e.g. since its caller makes too
 * many. Immutable.
 */
public final class RefusedRequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final transient @Nullable Duration retryAfter;

  /**
   * Creates it.
   *
   * @param status of HTTP
   * @param code in capital letters, for programs
   * @param detail names what is wrong and what to do, for persons
   * @param retryAfter when to come again; null if that does not matter
   */
  public RefusedRequestException(
      int status, String code, String detail, @Nullable Duration retryAfter) {
    super(detail, null, false, false);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** The status of HTTP. */
  public int status() {
    return status;
  }

  /** The code for programs. */
  public String code() {
    return code;
  }

  /** When to come again; null if that does not matter. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
