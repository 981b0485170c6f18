package io.angarium.quickstart.demo;

import io.angarium.BusinessKey;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** Remembers when the broker acknowledged which order. Thread-safe. */
@Component
class SentLog implements RelayListener {
  private static final int ORDERS_MAX = 20_000;

  private final InstantSource clock;
  private final Map<Long, Instant> sent = new LinkedHashMap<>();
  private long total;

  SentLog(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized void sent(StoredMessage message, Route route, Duration age) {
    BusinessKey business = message.message().business();
    if (business == null) {
      return;
    }
    total++;
    sent.putIfAbsent(Long.valueOf(business.key()), clock.instant());
    if (sent.size() > ORDERS_MAX) {
      sent.remove(sent.keySet().iterator().next());
    }
  }

  /** When the message of an order was acknowledged first; empty if that was not seen. */
  synchronized Optional<Instant> of(long order) {
    return Optional.ofNullable(sent.get(order));
  }

  synchronized long total() {
    return total;
  }
}
