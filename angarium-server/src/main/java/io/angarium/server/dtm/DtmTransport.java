package io.angarium.server.dtm;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfMessage;
import io.angarium.half.RefusedStepException;
import io.angarium.http.HttpTransport;
import io.angarium.intake.StoredMessage;
import io.angarium.server.dtm.DtmSteps.Envelope;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the steps of dtm's messages one after the other: when one is done, the next is stored, and
 * only then is the message of the first acknowledged. So none is lost, and none begins before the
 * one before it was done; one whose message comes again stores its next once, by its key.
 * Thread-safe.
 */
public final class DtmTransport implements Transport {
  private final HttpTransport http;
  private final DtmStores stores;
  private final DtmSteps steps;

  /** Messages whose step is called now, by what is handed to {@link #http} in their place. */
  private final Map<StoredMessage, Called> called = new ConcurrentHashMap<>();

  /** A step that others follow. */
  private record Called(
      StoredMessage message, HalfMessage next, BiConsumer<StoredMessage, SendResult> results) {}

  /**
   * @param http made by {@link HttpTransport#dtm}; closed with this
   * @param stores where further steps are stored; likewise
   */
  public DtmTransport(HttpTransport http, DtmStores stores, DtmSteps steps) {
    this.http = http;
    this.stores = stores;
    this.steps = steps;
  }

  /** Why a step must not be called; empty if it may. */
  Optional<String> refusal(String action) {
    return http.refusal(action);
  }

  @Override
  public String name() {
    return http.name();
  }

  @Override
  public Optional<String> addressFault(String address) {
    return http.addressFault(address);
  }

  @Override
  public KeyOrder keyOrder() {
    return http.keyOrder();
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<StoredMessage> readable = new ArrayList<>();
    for (StoredMessage message : messages) {
      try {
        readable.add(handedOver(message, results));
      } catch (RuntimeException e) { // one that cannot be read must not hinder the others
        results.accept(
            message,
            new Refused(
                "the steps after it cannot be read; commit a message of dtm anew: " + e, e));
      }
    }
    http.send(readable, (sent, result) -> ended(sent, result, results));
  }

  /** What comes next is made before the step is called, as it may turn out that it cannot be. */
  private StoredMessage handedOver(
      StoredMessage stored, BiConsumer<StoredMessage, SendResult> results) {
    Optional<Envelope> envelope = DtmSteps.envelope(stored.message());
    if (envelope.isEmpty()) {
      return stored;
    }
    HalfMessage next = steps.next(stored.message(), envelope.get());
    StoredMessage alone =
        new StoredMessage(
            stored.position(),
            stored.id(),
            DtmSteps.alone(stored.message(), envelope.get()),
            stored.attempts(),
            stored.createdAt());
    called.put(alone, new Called(stored, next, results));
    return alone;
  }

  private void ended(
      StoredMessage sent, SendResult result, BiConsumer<StoredMessage, SendResult> results) {
    Called step = called.remove(sent);
    if (step == null) {
      results.accept(sent, result);
    } else if (result instanceof Acknowledged) {
      storeNext(step);
    } else {
      results.accept(step.message(), result);
    }
  }

  private void storeNext(Called step) {
    try {
      var unused =
          stores
              .store(step.next())
              .whenComplete((stored, failure) -> accept(step, result(step.next(), failure)));
    } catch (RejectedExecutionException e) {
      accept(step, result(step.next(), e));
    }
  }

  private static void accept(Called step, SendResult result) {
    step.results().accept(step.message(), result);
  }

  /**
   * A database that is away has to come back, and the step is called once more then; what is
   * refused for good would be called for ever.
   */
  private static SendResult result(HalfMessage next, @Nullable Throwable failure) {
    if (failure == null) {
      return SendResult.ACKNOWLEDGED;
    }
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    String reason =
        "the step was called, but the one after it, %s, cannot be stored: %s"
            .formatted(next.key(), cause);
    if (cause instanceof StoreException
        || cause instanceof TimeoutException
        || cause instanceof RejectedExecutionException) {
      return new Unavailable(reason, cause);
    }
    return cause instanceof RefusedStepException || cause instanceof InvalidMessageException
        ? new Refused(reason, cause)
        : new Failed(reason, cause);
  }

  @Override
  public Duration resultMax() {
    return http.resultMax().plus(stores.max());
  }

  @Override
  public Duration blockingMax() {
    return http.blockingMax();
  }

  @Override
  public void flush(Duration timeout) {
    long startNanos = TimeSource.SYSTEM.nanoTime();
    http.flush(timeout);
    Duration taken = Duration.ofNanos(TimeSource.SYSTEM.nanoTime() - startNanos);
    Duration left = timeout.minus(taken);
    stores.flush(left.isNegative() ? Duration.ZERO : left);
  }

  @Override
  public void close() {
    http.close();
    stores.close();
  }
}
