package io.angarium.examples.consoledemo.scene;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackTransport;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The producers of half messages: one does not know its order, the other is away. Thread-safe. */
final class SilentProducers implements CheckBackTransport {
  static final URI SHOP = URI.create("http://shop.example.com/check-back");
  static final URI REFUNDS = URI.create("http://refunds.example.com:8080/check-back");

  private static final int KEYS_MAX = 10;

  @Override
  public Set<String> schemes() {
    return Set.of("http");
  }

  @Override
  public int keysMax() {
    return KEYS_MAX;
  }

  @Override
  public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
    return CompletableFuture.completedFuture(
        address.equals(SHOP)
            ? keys.stream().map(SilentProducers::unknown).toList()
            : CheckAnswer.unreachable(
                keys.size(), "connection refused: " + address.getRawAuthority()));
  }

  private static CheckAnswer unknown(HalfKey key) {
    return new CheckAnswer(
        Verdict.UNKNOWN, "status 404: no order " + key.key() + " in this database");
  }

  @Override
  public void close() {
    // has no connection
  }
}
