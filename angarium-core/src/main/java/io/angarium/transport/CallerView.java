package io.angarium.transport;

import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A transport as one of several relays sees it: everything but {@link #send} goes to the transport
 * that all share. A pipelined transport returns one from {@link Transport#of}, and so does a
 * transport that wraps one. Thread-safe as the transport is.
 */
public final class CallerView implements Transport {
  private final Transport shared;
  private final String caller;
  private final Sending sending;

  /** What becomes of the messages that this caller alone hands over. */
  @FunctionalInterface
  public interface Sending {
    /** Hands messages over like {@link Transport#send}. */
    void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results);
  }

  /**
   * Creates a view.
   *
   * @param caller names the relay
   * @param sending remembers failures for this caller alone
   */
  public CallerView(Transport shared, String caller, Sending sending) {
    this.shared = shared;
    this.caller = caller;
    this.sending = sending;
  }

  @Override
  public String name() {
    return shared.name();
  }

  @Override
  public KeyOrder keyOrder() {
    return shared.keyOrder();
  }

  @Override
  public Optional<String> addressFault(String address) {
    return shared.addressFault(address);
  }

  @Override
  public Transport of(String other) {
    return shared.of(other);
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    sending.send(messages, results);
  }

  @Override
  public Duration resultMax() {
    return shared.resultMax();
  }

  @Override
  public Duration blockingMax() {
    return shared.blockingMax();
  }

  @Override
  public void flush(Duration timeout) {
    shared.flush(timeout);
  }

  @Override
  public void close() {
    shared.close();
  }

  /** Transport and caller. */
  @Override
  public String toString() {
    return name() + " for " + caller;
  }
}
