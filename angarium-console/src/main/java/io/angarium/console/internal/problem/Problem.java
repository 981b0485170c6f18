package io.angarium.console.internal.problem;

import io.angarium.console.access.RefusedRequestException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call that is answered with a problem. Has no stack trace, as callers cause it. */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final transient @Nullable Duration retryAfter;

  private Problem(int status, String code, String detail, @Nullable Duration retryAfter) {
    super(detail, null, false, false);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** A request that is wrong; the detail names value, expectation and what to do. */
  public static Problem invalid(String detail) {
    return new Problem(400, "INVALID", detail, null);
  }

  /** The request is not signed in. */
  public static Problem unauthenticated() {
    return new Problem(401, "UNAUTHENTICATED", "nobody is signed in; sign in first", null);
  }

  /** A secret that is none. */
  public static Problem wrongSecret() {
    return new Problem(
        401, "UNAUTHENTICATED", "this key or ticket is not known, or no longer valid", null);
  }

  /** Somebody who may not do this. */
  public static Problem notPermitted(String detail) {
    return new Problem(403, "NOT_PERMITTED", detail, null);
  }

  /** Something that is not there, or that the operator may not see. */
  public static Problem unknown(String detail) {
    return new Problem(404, "UNKNOWN", detail, null);
  }

  /** A path that takes other methods. */
  public static Problem wrongMethod(String allowed) {
    return new Problem(405, "INVALID", "this path takes " + allowed, null);
  }

  /** Something that was decided before. */
  public static Problem conflict(String detail) {
    return new Problem(409, "CONFLICT", detail, null);
  }

  /** A body that is too large. */
  public static Problem tooLarge(int bytesMax) {
    return new Problem(
        413, "TOO_LARGE", "body: more than " + bytesMax + " bytes (expected: fewer)", null);
  }

  /** A body of another type. */
  public static Problem notJson() {
    return new Problem(415, "INVALID", "Content-Type: (expected: application/json)", null);
  }

  /** Too many tries. */
  public static Problem tooMany(String detail, Duration retryAfter) {
    return new Problem(429, "TOO_MANY", detail, retryAfter);
  }

  /** Too much at a time. */
  public static Problem busy(String detail, Duration retryAfter) {
    return new Problem(503, "BUSY", detail, retryAfter);
  }

  /** The database does not answer. */
  public static Problem databaseAway(String detail, Duration retryAfter) {
    return new Problem(503, "DATABASE_AWAY", detail, retryAfter);
  }

  /** A fault of the console; the log has it under the same id. */
  public static Problem failed(String id) {
    return new Problem(500, "FAILED", "the console failed; its log has the reason as " + id, null);
  }

  /** A way in that knows somebody and does not let them in now. */
  public static Problem of(RefusedRequestException refused) {
    return new Problem(
        refused.status(),
        refused.code(),
        String.valueOf(refused.getMessage()),
        refused.retryAfter());
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  public String detail() {
    return String.valueOf(getMessage());
  }

  /** When to come again; null if that does not matter. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
