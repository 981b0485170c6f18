package io.angarium.http.half;

import io.angarium.OutboxException;
import java.util.Map;
import java.util.stream.Collectors;

/** Thrown when the body of a request with many calls cannot be taken; none of them took effect. */
public final class InvalidCallsException extends OutboxException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // Map.copyOf is serializable
  private final Map<Integer, String> faults;

  /** Creates an exception for a body that is wrong as a whole. */
  public InvalidCallsException(String message) {
    super(message);
    this.faults = Map.of();
  }

  /**
   * Creates an exception for calls that are wrong.
   *
   * @param faults at least one, by the number of the call, beginning with 0
   */
  public InvalidCallsException(Map<Integer, String> faults) {
    super(text(faults));
    this.faults = Map.copyOf(faults);
  }

  private static String text(Map<Integer, String> faults) {
    return faults.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .limit(10)
        .map(fault -> "call " + fault.getKey() + ": " + fault.getValue())
        .collect(Collectors.joining("; "));
  }

  /** What is wrong with which call; empty if it is the body. */
  public Map<Integer, String> faults() {
    return faults;
  }
}
