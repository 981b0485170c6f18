package io.angarium.server.start;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each message to {@code log:}, without its payload, and is done with it: to see
 * what arrives where there is no broker yet. Thread-safe.
 */
public final class LogTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(LogTransport.class);

  @Override
  public String name() {
    return "log";
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.PIPELINED;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    for (StoredMessage stored : messages) {
      LOG.info("Received {} {}", stored.id(), stored.message());
      results.accept(stored, SendResult.ACKNOWLEDGED);
    }
  }

  @Override
  public Duration resultMax() {
    return Duration.ZERO;
  }

  @Override
  public Duration blockingMax() {
    return Duration.ZERO;
  }

  @Override
  public void flush(Duration timeout) {
    // nothing is buffered
  }

  @Override
  public void close() {
    // nothing is held
  }
}
