package io.angarium.dubbo;

import io.angarium.OutboxException;
import java.util.List;

/**
 * Thrown by half messages that are served, to have a request over Dubbo answered with a problem.
 * Has no stack trace: it is an answer.
 */
public final class HalfServiceException extends OutboxException {
  private static final long serialVersionUID = 1L;

  private final String code;

  @SuppressWarnings("serial") // List.copyOf is serializable
  private final List<Integer> calls;

  /**
   * Creates an exception.
   *
   * @param code one of {@link HalfMessageService}, for programs
   * @param detail what is wrong, and what to do, for people
   * @param calls the numbers of the calls that are at fault, from 0; empty if all are
   */
  public HalfServiceException(String code, String detail, List<Integer> calls) {
    super(detail);
    this.code = code;
    this.calls = List.copyOf(calls);
    setStackTrace(new StackTraceElement[0]);
  }

  /** For programs. */
  public String code() {
    return code;
  }

  /** The numbers of the calls that are at fault; empty if all are. */
  public List<Integer> calls() {
    return calls;
  }
}
