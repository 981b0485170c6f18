package io.angarium.server;

/**
 * What is wrong with a call. Immutable.
 *
 * @param status of HTTP
 * @param code for programs
 * @param detail for people
 */
record Fault(int status, String code, String detail) {
  ProblemException exception() {
    return new ProblemException(status, code, detail);
  }
}
