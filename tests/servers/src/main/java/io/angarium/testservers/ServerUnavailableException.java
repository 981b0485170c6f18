package io.angarium.testservers;

/** Thrown when a server cannot be had on this machine, or was had and does not start. */
public final class ServerUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerUnavailableException(String message) {
    super(message);
  }

  ServerUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
