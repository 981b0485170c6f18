package io.angarium.deploy;

import java.io.IOException;

/** An image cannot be made; the message says why and what to do. */
final class ImageException extends IOException {
  private static final long serialVersionUID = 1L;

  ImageException(String message) {
    super(message);
  }

  ImageException(String message, Throwable cause) {
    super(message, cause);
  }
}
