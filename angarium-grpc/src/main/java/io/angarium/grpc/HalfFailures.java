package io.angarium.grpc;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.NotPermittedException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What callers are told when half messages cannot be served. What the database says stays here, in
 * the log. Thread-safe.
 */
final class HalfFailures {
  static final Duration WARNING_PAUSE = Duration.ofMinutes(1);

  static final Status TOO_MANY =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "too many requests are under way here; nothing took effect, repeat it later");
  static final Status GIVEN_UP =
      Status.CANCELLED.withDescription("the caller gave up before it began; nothing took effect");

  /**
   * In the trailers of a failure: why calls that were made together failed, so that those that are
   * not at fault may succeed alone.
   */
  static final Metadata.Key<String> REASON =
      Metadata.Key.of("angarium-reason", Metadata.ASCII_STRING_MARSHALLER);

  /** A value of {@link #REASON}. */
  static final String STORE_FAILED = "STORE_FAILED";

  /** A value of {@link #REASON}: what is served refused some of the calls, and none took effect. */
  static final String SOME_REFUSED = "SOME_REFUSED";

  private static final Logger LOG = LoggerFactory.getLogger(HalfFailures.class);

  private final TimeSource time;

  /** When the next warning is due, by the monotonic clock. */
  private final AtomicLong dueNanos;

  HalfFailures(TimeSource time) {
    this.time = time;
    this.dueNanos = new AtomicLong(time.nanoTime());
  }

  /** The failure of a request, with its reason. */
  StatusRuntimeException exception(Throwable failure) {
    Status status = status(failure);
    if (failure instanceof StatusRuntimeException said && said.getTrailers() != null) {
      return said;
    }
    return status.getCode() == Status.Code.UNAVAILABLE
        ? exception(status, STORE_FAILED)
        : status.asRuntimeException();
  }

  static StatusRuntimeException exception(Status status, String reason) {
    Metadata trailers = new Metadata();
    trailers.put(REASON, reason);
    return status.asRuntimeException(trailers);
  }

  /** The {@link #REASON} of a failure; empty if it has none. */
  static String reason(Throwable failure) {
    Metadata trailers = Status.trailersFromThrowable(failure);
    String reason = trailers == null ? null : trailers.get(REASON);
    return reason == null ? "" : reason;
  }

  Status status(Throwable failure) {
    if (failure instanceof InvalidMessageException) {
      return Status.INVALID_ARGUMENT.withDescription(Excerpt.of(failure.getMessage()));
    }
    if (failure instanceof NotPermittedException) {
      return Status.PERMISSION_DENIED.withDescription(Excerpt.of(failure.getMessage()));
    }
    if (failure instanceof StatusRuntimeException said) {
      return said.getStatus();
    }
    if (failure instanceof StoreException) {
      if (isWarningDue()) {
        LOG.warn(
            "Half messages cannot be served over gRPC now; callers are told to repeat their calls",
            failure);
      } else {
        LOG.debug("Half messages cannot be served over gRPC now", failure);
      }
      return Status.UNAVAILABLE.withDescription(
          "the database of the half messages cannot be reached or refuses;"
              + " whether the calls took effect is unknown, repeat them");
    }
    LOG.error("A request for half messages over gRPC failed in a way nobody expected", failure);
    return Status.INTERNAL.withDescription(
        "failed; the log of the server says why. Whether the calls took effect is unknown");
  }

  private boolean isWarningDue() {
    long due = dueNanos.get();
    long now = time.nanoTime();
    return now - due >= 0 && dueNanos.compareAndSet(due, now + WARNING_PAUSE.toNanos());
  }
}
