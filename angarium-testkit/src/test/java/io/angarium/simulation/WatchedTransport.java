package io.angarium.simulation;

import io.angarium.intake.StoredMessage;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;

/** Tells the simulation what is in flight, which resolves it in time. */
record WatchedTransport(FakeTransport fake, NodeId node, Simulation world) implements Transport {
  @Override
  public String name() {
    return fake.name();
  }

  @Override
  public KeyOrder keyOrder() {
    return fake.keyOrder();
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    Operators operators = world.operators();
    if (operators != null) {
      messages.forEach(message -> operators.sending(node, message));
    }
    fake.send(
        messages,
        (message, result) -> {
          results.accept(message, result);
          world.answered(message, () -> results.accept(message, result));
        });
    messages.forEach(message -> world.inFlight(fake, message));
  }

  @Override
  public Duration resultMax() {
    return fake.resultMax();
  }

  @Override
  public Duration blockingMax() {
    return fake.blockingMax();
  }

  @Override
  public void flush(Duration timeout) {
    world.giveLateResults();
    fake.flush(timeout);
  }

  @Override
  public void close() {
    fake.close();
    world.giveLateResults();
  }
}
