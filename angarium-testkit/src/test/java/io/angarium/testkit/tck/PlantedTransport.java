package io.angarium.testkit.tck;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** A transport in which a mutant replaces a method. */
class PlantedTransport implements Transport {
  /** Another way to hand messages over. */
  interface Sending {
    void send(
        Transport real,
        List<StoredMessage> messages,
        BiConsumer<StoredMessage, SendResult> results);
  }

  private final Transport transport;

  PlantedTransport(Transport transport) {
    this.transport = transport;
  }

  static Transport sending(Transport real, Sending sending) {
    return new PlantedTransport(real) {
      @Override
      public void send(
          List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
        sending.send(real, messages, results);
      }
    };
  }

  /** Gives other results than the real one. */
  static Transport giving(Transport real, UnaryOperator<SendResult> change) {
    return sending(
        real,
        (transport, messages, results) ->
            transport.send(messages, (m, result) -> results.accept(m, change.apply(result))));
  }

  /** Gives results later than the real one, and never those that are lost then. */
  static Transport givingLater(Transport real, Executor later, BooleanSupplier lost) {
    return sending(
        real,
        (transport, messages, results) ->
            transport.send(
                messages,
                (message, result) ->
                    later.execute(
                        () -> {
                          if (!lost.getAsBoolean()) {
                            results.accept(message, result);
                          }
                        })));
  }

  /** Stores other messages than the ones handed over. */
  static Transport changing(Transport real, UnaryOperator<Message> change) {
    return sending(
        real,
        (transport, messages, results) ->
            transport.send(messages.stream().map(m -> changed(m, change)).toList(), results));
  }

  private static StoredMessage changed(StoredMessage row, UnaryOperator<Message> change) {
    return new StoredMessage(
        row.position(), row.id(), change.apply(row.message()), row.attempts(), row.createdAt());
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
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    transport.send(messages, results);
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
}
