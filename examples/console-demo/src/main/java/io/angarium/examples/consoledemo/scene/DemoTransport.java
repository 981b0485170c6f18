package io.angarium.examples.consoledemo.scene;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/** A transport without a broker: it gives the answer that the scene wants, at once. Thread-safe. */
final class DemoTransport implements Transport {
  private final String name;
  private final BrokerAnswers answers;

  DemoTransport(String name, BrokerAnswers answers) {
    this.name = name;
    this.answers = answers;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.CHAINED;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    messages.forEach(message -> results.accept(message, answers.of(message)));
  }

  @Override
  public Duration resultMax() {
    return Duration.ofSeconds(1);
  }

  @Override
  public Duration blockingMax() {
    return Duration.ZERO;
  }

  @Override
  public void flush(Duration timeout) {
    // every result is given before send returns
  }

  @Override
  public void close() {
    // has no connection
  }
}
