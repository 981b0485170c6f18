package io.angarium.kafka;

import io.angarium.store.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * A transport as one of several relays has it. Told apart by identity, so it is no record.
 * Thread-safe as the transport is.
 */
final class CallerView implements Transport {
  private final KafkaTransport transport;
  private final String caller;

  CallerView(KafkaTransport transport, String caller) {
    this.transport = transport;
    this.caller = caller;
  }

  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public KeyOrder keyOrder() {
    return transport.keyOrder();
  }

  @Override
  public Optional<String> addressFault(String address) {
    return transport.addressFault(address);
  }

  @Override
  public Transport of(String other) {
    return transport.of(other);
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    transport.send(this, messages, results);
  }

  @Override
  public Duration resultMax() {
    return transport.resultMax();
  }

  @Override
  public Duration blockingMax() {
    return transport.blockingMax();
  }

  @Override
  public void flush(Duration timeout) {
    transport.flush(timeout);
  }

  @Override
  public void close() {
    transport.close();
  }

  /** Transport and caller. */
  @Override
  public String toString() {
    return name() + " for " + caller;
  }
}
