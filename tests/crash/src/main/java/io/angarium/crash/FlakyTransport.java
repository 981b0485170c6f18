package io.angarium.crash;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;

/**
 * A transport some of whose attempts fail, before or after the broker stored the message, so that
 * parking and retries are under way when a process is killed. Thread-safe.
 *
 * @param failing share of attempts that fail, 0..1; with 0 the transport behind it as it is
 */
record FlakyTransport(Transport transport, double failing, Tripwire wire) implements Transport {
  @Override
  public Transport of(String caller) {
    return new FlakyTransport(transport.of(caller), failing, wire);
  }

  @Override
  public String name() {
    return transport.name();
  }

  /** Failures of single messages break the promise of pipelining, so those are chained. */
  @Override
  public KeyOrder keyOrder() {
    return failing > 0 ? KeyOrder.CHAINED : transport.keyOrder();
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<StoredMessage> passed = new ArrayList<>(messages.size());
    for (StoredMessage message : messages) {
      if (random() < failing / 2) {
        results.accept(message, new SendResult.Failed("planned failure", null));
      } else {
        passed.add(message);
      }
    }
    transport.send(passed, (message, result) -> results.accept(message, distort(result)));
    wire.pass(CrashPoint.AFTER_SEND);
  }

  private SendResult distort(SendResult result) {
    boolean lose = result instanceof SendResult.Acknowledged && random() < failing / 2;
    return lose ? new SendResult.Failed("planned loss of an acknowledgement", null) : result;
  }

  private static double random() {
    return ThreadLocalRandom.current().nextDouble();
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
