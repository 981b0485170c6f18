package io.angarium.messagecentre.demo;

/** Thrown for a command line that is not understood. */
public final class WrongOptionException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception that says what is wrong. */
  public WrongOptionException(String message) {
    super(message + "\n\n" + Options.USAGE);
  }
}
