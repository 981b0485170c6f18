package io.angarium.server;

import io.angarium.Rounds;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.http.HalfProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each business from having more than so many undecided half messages. The database is asked
 * every {@link #INTERVAL} for all of them; in between a server counts what it prepares and decides
 * itself, calls under way included. So one server keeps the limit, and of several each may exceed
 * it by what the others prepare within an interval. Thread-safe.
 */
final class UndecidedQuota implements HalfListener, AutoCloseable {
  static final Duration INTERVAL = Duration.ofSeconds(5);

  private final @Nullable Integer max;
  private final Supplier<Map<String, Long>> counting;
  private final Rounds rounds;

  /** What was counted last, and since then prepared and not decided by this server. */
  private final Map<String, Long> open = new HashMap<>();

  /** What this server prepared and decided while the database is asked. */
  private final Map<String, Long> meanwhile = new HashMap<>();

  private final Map<String, Long> underWay = new HashMap<>();

  /**
   * Creates it; nothing is counted before {@link #start}.
   *
   * @param max of each business; null for any number
   * @param counting asks the database, by business id
   */
  UndecidedQuota(@Nullable Integer max, Supplier<Map<String, Long>> counting) {
    this.max = max;
    this.counting = counting;
    this.rounds =
        new Rounds(
            "angarium-undecided-quota",
            "The count of undecided half messages",
            INTERVAL,
            this::count);
  }

  void start() {
    if (max != null) {
      rounds.start(Duration.ZERO);
    }
  }

  /** Asks the database now. */
  void count() {
    synchronized (this) {
      meanwhile.clear();
    }
    Map<String, Long> counted = counting.get();
    synchronized (this) {
      open.clear();
      open.putAll(counted);
      meanwhile.forEach((business, change) -> open.merge(business, change, Long::sum));
    }
  }

  @Override
  public void changed(HalfKey key, HalfState before, HalfState after, Duration age) {
    long change = (after.isOpen() ? 1L : 0L) - (before.isOpen() ? 1L : 0L);
    if (max != null && change != 0) {
      note(key.business(), change);
    }
  }

  private synchronized void note(String business, long change) {
    open.merge(business, change, Long::sum);
    meanwhile.merge(business, change, Long::sum);
  }

  /**
   * Makes calls if there is room for what they prepare.
   *
   * @throws ProblemException naming the calls for which there is none; then none takes effect
   */
  List<HalfAnswer> call(HalfMessages half, List<HalfCall> calls) {
    if (max == null || calls.stream().noneMatch(HalfCall.Prepare.class::isInstance)) {
      return half.callAll(calls);
    }
    Map<String, Long> wanted = prepares(calls, Set.of());
    if (!take(wanted)) {
      Set<HalfKey> known = known(half, calls);
      wanted = prepares(calls, known);
      if (!take(wanted)) {
        throw refusal(calls, wanted, known);
      }
    }
    try {
      return half.callAll(calls);
    } finally {
      giveBack(wanted);
    }
  }

  private static Map<String, Long> prepares(List<HalfCall> calls, Set<HalfKey> known) {
    Map<String, Long> prepares = new HashMap<>();
    for (HalfCall call : calls) {
      if (call instanceof HalfCall.Prepare && !known.contains(call.key())) {
        prepares.merge(call.key().business(), 1L, Long::sum);
      }
    }
    return prepares;
  }

  /** A repeat of what is there adds nothing. */
  private static Set<HalfKey> known(HalfMessages half, List<HalfCall> calls) {
    List<HalfKey> keys =
        calls.stream()
            .filter(HalfCall.Prepare.class::isInstance)
            .map(HalfCall::key)
            .distinct()
            .toList();
    Set<HalfKey> known = new HashSet<>();
    half.states(keys)
        .forEach(
            (key, state) -> {
              if (state != HalfState.UNKNOWN) {
                known.add(key);
              }
            });
    return known;
  }

  private synchronized boolean take(Map<String, Long> wanted) {
    for (Map.Entry<String, Long> each : wanted.entrySet()) {
      if (!fits(each.getKey(), each.getValue())) {
        return false;
      }
    }
    wanted.forEach((business, count) -> underWay.merge(business, count, Long::sum));
    return true;
  }

  private synchronized boolean fits(String business, long more) {
    return max == null || number(business) + more <= max;
  }

  private synchronized long number(String business) {
    return open.getOrDefault(business, 0L) + underWay.getOrDefault(business, 0L);
  }

  private synchronized void giveBack(Map<String, Long> taken) {
    taken.forEach(
        (business, count) -> {
          underWay.merge(business, -count, Long::sum);
          underWay.remove(business, 0L);
        });
  }

  private ProblemException refusal(
      List<HalfCall> calls, Map<String, Long> wanted, Set<HalfKey> known) {
    String full =
        wanted.entrySet().stream()
            .filter(each -> !fits(each.getKey(), each.getValue()))
            .map(Map.Entry::getKey)
            .sorted()
            .findFirst()
            .orElse("");
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      HalfCall call = calls.get(i);
      if (call instanceof HalfCall.Prepare
          && call.key().business().equals(full)
          && !known.contains(call.key())) {
        numbers.add(i);
      }
    }
    return new ProblemException(
        429,
        HalfProblem.TOO_MANY,
        "business %s has %d undecided half messages (expected: at most %d, set by %s.undecided-max): commit or roll back what is open, GET /v1/undecided lists it, then repeat the call; nothing took effect"
            .formatted(full, number(full), max, ServerProperties.PREFIX),
        numbers);
  }

  @Override
  public void close() {
    rounds.close();
  }
}
