package io.angarium.quickstart.demo;

/** Thrown when the quickstart cannot start; the message is for the person who started it. */
public final class StartupException extends RuntimeException {
  private static final long serialVersionUID = 1;

  StartupException(String message) {
    super(message);
  }

  /** Creates an exception with the error that led to it. */
  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }
}
