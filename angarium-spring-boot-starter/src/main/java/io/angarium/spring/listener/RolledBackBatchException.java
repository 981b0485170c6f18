package io.angarium.spring.listener;

import io.angarium.OutboxException;

/** Stands for an exception that names one message of a batch, when no message took effect. */
final class RolledBackBatchException extends OutboxException {
  private static final long serialVersionUID = 1L;

  /** Not asked for by its class, which is there with Kafka only. */
  private static final String OF_ONE =
      "org.springframework.kafka.listener.BatchListenerFailedException";

  private RolledBackBatchException(String listener, Throwable failure) {
    super(
        listener
            + ": "
            + failure.getMessage()
            + "; the whole batch was rolled back and must be delivered again",
        failure.getCause());
    addSuppressed(failure); // as the cause it would be found by the container
  }

  /**
   * What may be thrown for a batch: for a failure of one record the container would acknowledge
   * those before it, which were rolled back, too.
   */
  static Exception ofAll(String listener, Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause.getClass().getName().equals(OF_ONE)) {
        return new RolledBackBatchException(listener, cause);
      }
    }
    return failure;
  }
}
