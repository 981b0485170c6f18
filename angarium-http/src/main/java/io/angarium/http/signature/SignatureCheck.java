package io.angarium.http.signature;

import io.angarium.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets signed requests through to an endpoint, and says in the log why others are refused: once a
 * minute at most for each kind of fault, as strangers can send any number, and must not hide by
 * theirs that a clock is wrong. Thread-safe.
 */
public final class SignatureCheck {
  static final Duration WARNING_PAUSE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(SignatureCheck.class);

  private final String what;
  private final TimeSource time;

  /** When the next warning is due, by the monotonic clock. */
  private final Map<SignatureFault.Kind, AtomicLong> dueNanos =
      new EnumMap<>(SignatureFault.Kind.class);

  /**
   * @param what comes, for the log
   */
  public SignatureCheck(String what, TimeSource time) {
    this.what = what;
    this.time = time;
    for (SignatureFault.Kind kind : SignatureFault.Kind.values()) {
      dueNanos.put(kind, new AtomicLong(time.nanoTime()));
    }
  }

  /** Whether a request with these headers and this body is signed, by a receiver's time. */
  public boolean passes(
      HttpSignature signature,
      Function<String, @Nullable String> headers,
      byte[] body,
      Instant now) {
    SignatureFault fault = signature.fault(headers, body, now);
    if (fault == null) {
      return true;
    }
    if (isWarningDue(fault.kind())) {
      LOG.warn("{} over HTTP are refused with 401: {}", what, fault.words());
    } else {
      LOG.debug("{} over HTTP are refused with 401 again: {}", what, fault.words());
    }
    return false;
  }

  private boolean isWarningDue(SignatureFault.Kind kind) {
    AtomicLong dueOfKind = Objects.requireNonNull(dueNanos.get(kind));
    long due = dueOfKind.get();
    long now = time.nanoTime();
    return now - due >= 0 && dueOfKind.compareAndSet(due, now + WARNING_PAUSE.toNanos());
  }
}
