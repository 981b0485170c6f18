package io.angarium.testkit.fake;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackTransport;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Producers for tests, asked by addresses such as {@code fake://shop}: they answer what they are
 * told to, at once, and remember every question. A key they were told nothing of is {@link
 * Verdict#UNKNOWN}. Thread-safe.
 */
public final class FakeProducers implements CheckBackTransport {
  private final int keysMax;
  private final Map<HalfKey, Verdict> verdicts = new HashMap<>();
  private final Set<String> away = new HashSet<>();
  private final List<Asked> questions = new ArrayList<>();

  /**
   * A question.
   *
   * @param address whom
   * @param keys what for
   */
  public record Asked(URI address, List<HalfKey> keys) {}

  /** Producers that take 100 keys at a time. */
  public FakeProducers() {
    this(100);
  }

  /**
   * Producers.
   *
   * @param keysMax how many keys they take at a time
   */
  public FakeProducers(int keysMax) {
    this.keysMax = keysMax;
  }

  /** From now on this is the answer for a key. */
  public synchronized void answer(HalfKey key, Verdict verdict) {
    verdicts.put(key, verdict);
  }

  /** Takes the producer at an address away, or brings it back. */
  public synchronized void unreachable(String address, boolean unreachable) {
    if (unreachable) {
      away.add(address);
    } else {
      away.remove(address);
    }
  }

  /** All questions so far. */
  public synchronized List<Asked> questions() {
    return List.copyOf(questions);
  }

  /** How often a key was asked for. */
  public synchronized int asked(HalfKey key) {
    return (int) questions.stream().filter(asked -> asked.keys().contains(key)).count();
  }

  @Override
  public Set<String> schemes() {
    return Set.of("fake");
  }

  @Override
  public int keysMax() {
    return keysMax;
  }

  @Override
  public synchronized CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
    questions.add(new Asked(address, List.copyOf(keys)));
    if (away.contains(address.toString())) {
      return CompletableFuture.completedFuture(
          CheckAnswer.unreachable(keys.size(), "away as planned"));
    }
    return CompletableFuture.completedFuture(
        keys.stream()
            .map(key -> CheckAnswer.of(verdicts.getOrDefault(key, Verdict.UNKNOWN)))
            .toList());
  }

  @Override
  public void close() {
    // nothing is held
  }
}
