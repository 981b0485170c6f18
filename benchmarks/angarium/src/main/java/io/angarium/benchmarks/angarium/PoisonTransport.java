package io.angarium.benchmarks.angarium;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Fails messages that are marked as poison, as a broker would that cannot store them now. */
final class PoisonTransport implements Transport {
  static final String HEADER = "poison";
  private static final SendResult FAILED = new SendResult.Failed("poison", null);

  private final Transport broker;

  PoisonTransport(Transport broker) {
    this.broker = broker;
  }

  @Override
  public Transport of(String caller) {
    return new PoisonTransport(broker.of(caller));
  }

  @Override
  public String name() {
    return broker.name();
  }

  @Override
  public KeyOrder keyOrder() {
    return broker.keyOrder();
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<StoredMessage> sound = messages;
    if (messages.stream().anyMatch(PoisonTransport::isPoison)) {
      sound = new ArrayList<>(messages);
      sound.removeIf(PoisonTransport::isPoison);
      messages.stream().filter(PoisonTransport::isPoison).forEach(m -> results.accept(m, FAILED));
    }
    broker.send(sound, results);
  }

  private static boolean isPoison(StoredMessage message) {
    return message.message().headers().get(HEADER) != null;
  }

  @Override
  public Duration resultMax() {
    return broker.resultMax();
  }

  @Override
  public Duration blockingMax() {
    return broker.blockingMax();
  }

  @Override
  public void flush(Duration timeout) {
    broker.flush(timeout);
  }

  @Override
  public void close() {
    broker.close();
  }
}
