package io.angarium.spring.listener;

import io.angarium.OutboxException;

/** Rolls the transaction back for a listener that returned a failure instead of throwing it. */
final class GivenBackException extends OutboxException {
  private static final long serialVersionUID = 1L;

  GivenBackException(String message) {
    super(message);
  }
}
