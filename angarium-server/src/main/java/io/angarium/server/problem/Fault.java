package io.angarium.server.problem;

/**
 * What is wrong with a call. Immutable.
 *
 * @param status of HTTP
 * @param code for programs
 * @param detail for people
 */
public record Fault(int status, String code, String detail) {
  public ProblemException exception() {
    return new ProblemException(status, code, detail);
  }
}
