package io.angarium.orderstock.orders;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;

/**
 * Sends some messages twice, as a relay does that dies after the broker had them and before it
 * could note it. Thread-safe.
 *
 * @param percent of the messages, 0..100
 */
record Repeats(Transport transport, int percent, RandomGenerator random) implements Transport {
  private static final int HUNDRED = 100;

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    transport.send(messages, results);
    List<StoredMessage> again =
        messages.stream().filter(message -> random.nextInt(HUNDRED) < percent).toList();
    if (!again.isEmpty()) {
      transport.send(again, (message, result) -> {});
    }
  }

  @Override
  public Transport of(String caller) {
    return new Repeats(transport.of(caller), percent, random);
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
