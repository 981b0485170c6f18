package io.angarium.server.problem;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown to answer a request with a problem, see RFC 9457. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String code;
  private final @Nullable Duration retryAfter;

  @SuppressWarnings("serial") // List.copyOf is serializable
  private final List<Integer> calls;

  public ProblemException(int status, String code, String detail) {
    this(status, code, detail, null, List.of());
  }

  public ProblemException(int status, String code, String detail, Duration retryAfter) {
    this(status, code, detail, retryAfter, List.of());
  }

  public ProblemException(int status, String code, String detail, List<Integer> calls) {
    this(status, code, detail, null, calls);
  }

  public ProblemException(
      int status, String code, String detail, @Nullable Duration retryAfter, List<Integer> calls) {
    super(detail, null, false, false); // an answer, not a surprise
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.calls = List.copyOf(calls);
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }

  /** Null if it is not said. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /** The numbers of the calls of a batch that are at fault; empty if it is the whole. */
  public List<Integer> calls() {
    return calls;
  }
}
