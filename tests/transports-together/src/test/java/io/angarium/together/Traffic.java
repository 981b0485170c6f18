package io.angarium.together;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.settings.Route;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What a relay did with the messages of each destination. Thread-safe. */
final class Traffic implements RelayListener {
  static final Duration LIMIT = Duration.ofSeconds(60);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Set<String>> acknowledged = new HashMap<>();
  private final Map<String, Integer> results = new HashMap<>();
  private final Map<String, Integer> handedOver = new HashMap<>();
  private final List<String> failures = new ArrayList<>();
  private final Set<String> outages = new HashSet<>();

  private static String text(StoredMessage message) {
    return new String(message.message().payload(), UTF_8);
  }

  private static String destination(StoredMessage message) {
    return message.message().destination().toString();
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sending(StoredMessage message, Route route) {
    change(() -> handedOver.merge(destination(message) + ' ' + text(message), 1, Integer::sum));
  }

  @Override
  public void attempted(StoredMessage message, Route route, SendResult result) {
    change(
        () -> {
          results.merge(destination(message), 1, Integer::sum);
          if (result instanceof SendResult.Unavailable unavailable) {
            outages.add(unavailable.reason());
          }
        });
  }

  @Override
  public void sent(StoredMessage message, Route route, Duration age) {
    change(
        () ->
            acknowledged
                .computeIfAbsent(destination(message), d -> new HashSet<>())
                .add(text(message)));
  }

  @Override
  public void failed(StoredMessage message, String reason, @Nullable Duration pause) {
    if (pause != null) {
      change(() -> failures.add("attempt counted: " + message + ": " + reason));
    }
  }

  @Override
  public void dead(StoredMessage message, String reason) {
    change(() -> failures.add("dead: " + message + ": " + reason));
  }

  /** Waits until the broker has so many messages of a destination. */
  void awaitAcknowledged(String destination, int count) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    lock.lock();
    try {
      while (acknowledged(destination) < count) {
        boolean inTime = changed.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(inTime)
            .as("%d of %d for %s", acknowledged(destination), count, destination)
            .isTrue();
      }
    } finally {
      lock.unlock();
    }
  }

  int acknowledged(String destination) {
    lock.lock();
    try {
      return acknowledged.getOrDefault(destination, Set.of()).size();
    } finally {
      lock.unlock();
    }
  }

  /** Attempts of a destination that have ended. */
  int results(String destination) {
    lock.lock();
    try {
      return results.getOrDefault(destination, 0);
    } finally {
      lock.unlock();
    }
  }

  /** How often a message was handed over to its transport. */
  int handedOver(String destination, String text) {
    lock.lock();
    try {
      return handedOver.getOrDefault(destination + ' ' + text, 0);
    } finally {
      lock.unlock();
    }
  }

  /** Why messages had to wait. */
  Set<String> outages() {
    lock.lock();
    try {
      return Set.copyOf(outages);
    } finally {
      lock.unlock();
    }
  }

  /** Dead letters and attempts that were counted. */
  List<String> failures() {
    lock.lock();
    try {
      return List.copyOf(failures);
    } finally {
      lock.unlock();
    }
  }
}
