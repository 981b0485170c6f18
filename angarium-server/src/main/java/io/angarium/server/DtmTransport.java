package io.angarium.server;

import io.angarium.half.HalfCall;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.WhenUnknown;
import io.angarium.http.HttpTransport;
import io.angarium.server.DtmSteps.Envelope;
import io.angarium.store.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import tools.jackson.core.JacksonException;

/**
 * Calls the steps of dtm's messages one after the other: when one is done, the next is stored, and
 * only then is the message of the first acknowledged. So none is lost, and none begins before the
 * one before it was done; one whose message comes again stores its next once, by its key.
 * Thread-safe.
 */
final class DtmTransport implements Transport {
  private static final Duration STORE_MAX = Duration.ofSeconds(5);
  private static final int THREADS = 4;

  private final HttpTransport http;
  private final HalfMessages half;
  private final DtmSteps steps;
  private final ForkJoinPool stores = new ForkJoinPool(THREADS);

  /** Messages whose step is called now, by what is handed to {@link #http} in their place. */
  private final Map<StoredMessage, Called> called = new ConcurrentHashMap<>();

  /** A step that others follow. */
  private record Called(
      StoredMessage message, Envelope envelope, BiConsumer<StoredMessage, SendResult> results) {}

  /**
   * @param http made by {@link HttpTransport#dtm}; closed with this
   * @param half where further steps are stored
   */
  DtmTransport(HttpTransport http, HalfMessages half, DtmSteps steps) {
    this.http = http;
    this.half = half;
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
  public KeyOrder keyOrder() {
    return http.keyOrder();
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<StoredMessage> readable = new ArrayList<>();
    for (StoredMessage message : messages) {
      try {
        readable.add(handedOver(message, results));
      } catch (JacksonException e) {
        results.accept(
            message,
            new Refused("the steps after it cannot be read; commit a message of dtm anew", e));
      }
    }
    http.send(readable, (sent, result) -> ended(sent, result, results));
  }

  private StoredMessage handedOver(
      StoredMessage stored, BiConsumer<StoredMessage, SendResult> results) {
    Optional<Envelope> envelope = DtmSteps.envelope(stored.message());
    if (envelope.isEmpty()) {
      return stored;
    }
    StoredMessage alone =
        new StoredMessage(
            stored.position(),
            stored.id(),
            DtmSteps.alone(stored.message(), envelope.get()),
            stored.attempts(),
            stored.createdAt());
    called.put(alone, new Called(stored, envelope.get(), results));
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
    HalfMessage next = steps.next(step.message().message(), step.envelope());
    var unused =
        CompletableFuture.runAsync(() -> store(next), stores)
            .orTimeout(STORE_MAX.toSeconds(), TimeUnit.SECONDS)
            .whenComplete(
                (stored, failure) ->
                    step.results()
                        .accept(
                            step.message(),
                            failure == null ? SendResult.ACKNOWLEDGED : notStored(next, failure)));
  }

  private void store(HalfMessage next) {
    half.callAll(
            List.of(
                new HalfCall.Prepare(next), new HalfCall.Commit(next.key(), WhenUnknown.REFUSE)))
        .forEach(answer -> answer.accepted());
  }

  /** The database has to come back; the step is called once more then. */
  private static SendResult notStored(HalfMessage next, Throwable failure) {
    return new Unavailable(
        "the step was called, but the one after it, %s, cannot be stored: %s"
            .formatted(next.key(), failure),
        failure);
  }

  @Override
  public Duration resultMax() {
    return http.resultMax().plus(STORE_MAX);
  }

  @Override
  public Duration blockingMax() {
    return http.blockingMax();
  }

  @Override
  public void flush(Duration timeout) {
    http.flush(timeout);
    boolean unused = stores.awaitQuiescence(STORE_MAX.toSeconds(), TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    http.close();
    stores.shutdown();
  }
}
