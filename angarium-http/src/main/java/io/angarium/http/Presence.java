package io.angarium.http;

import io.angarium.http.internal.client.Client;
import io.angarium.http.internal.client.HttpDiagnosis;
import io.angarium.http.internal.client.Target;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds out whether anybody is at an address, by a request {@code OPTIONS} that changes nothing and
 * that any answer answers. Several that want to know it at the same time share one request.
 * Thread-safe.
 */
final class Presence {
  private final Client client;
  private final Duration timeout;
  private final Map<String, CompletableFuture<Boolean>> asked = new ConcurrentHashMap<>();

  Presence(Client client, Duration timeout) {
    this.client = client;
    this.timeout = timeout;
  }

  /** Asks and returns; completed within the time-out. */
  CompletableFuture<Boolean> ask(Target target) {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> earlier = asked.putIfAbsent(target.address(), mine);
    if (earlier != null) {
      return earlier;
    }
    try {
      client.exchange(
          HttpRequestEncoding.options(target),
          timeout,
          ending -> answer(target, mine, HttpDiagnosis.isPresent(ending)));
    } catch (RuntimeException | Error e) { // mostly the transport was closed meanwhile
      answer(target, mine, false);
    }
    return mine;
  }

  private void answer(Target target, CompletableFuture<Boolean> mine, boolean present) {
    asked.remove(target.address(), mine);
    mine.complete(present);
  }
}
