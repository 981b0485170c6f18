package io.angarium.server.calls;

import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.ServerProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each business from having more undecided half messages than the limit. A server counts what
 * it prepares and decides itself, including calls in flight. It asks the database for the number of
 * all undecided half messages before it serves, and then every {@link #INTERVAL}.
 *
 * <p>A count in the database sees some of the changes that are made while it runs. It corrects the
 * server's own number only as far as these changes and the calls in flight cannot explain the
 * difference. So a single server keeps the limit exactly. With several servers, each may exceed it
 * by what the others prepare within an interval, and by what it changes itself while a count runs.
 *
 * <p>Two changes are counted twice until the next count corrects the number. The first is a change
 * by the check-back or a person that is stored, but not yet reported, when a count ends. The second
 * is a half message that enters the list of check-backs during a count. Thread-safe.
 */
public final class UndecidedQuota implements BackgroundWork, HalfListener, AutoCloseable {
  static final Duration INTERVAL = Duration.ofSeconds(5);

  private final @Nullable Integer max;
  private final Supplier<Map<String, Long>> counting;
  private final RepeatingTask rounds;

  /** Undecided half messages by business, without {@link #preparing}. */
  private final Map<String, Long> open = new HashMap<>();

  /** How many changes of each business this server made since the last count began. */
  private final Map<String, Long> changes = new HashMap<>();

  /** How many calls for each business are under way. */
  private final Map<String, Long> underWay = new HashMap<>();

  /** New keys of the calls under way by business, each with the number of its calls. */
  private final Map<String, Map<HalfKey, Integer>> preparing = new HashMap<>();

  /**
   * Creates it; nothing is counted before {@link #start}.
   *
   * @param max of each business; null for any number
   * @param counting asks the database, by business id
   */
  public UndecidedQuota(@Nullable Integer max, Supplier<Map<String, Long>> counting) {
    this.max = max;
    this.counting = counting;
    this.rounds =
        new RepeatingTask(
            "angarium-undecided-quota",
            "The count of undecided half messages",
            INTERVAL,
            this::count);
  }

  /**
   * Counts for the first time, then starts the rounds.
   *
   * @throws io.angarium.StoreException if the database cannot be reached or refuses
   */
  public void start() {
    if (max != null) {
      count();
      rounds.start(INTERVAL);
    }
  }

  @Override
  public Optional<String> fault() {
    return rounds.fault();
  }

  /** Asks the database now. */
  public void count() {
    synchronized (this) {
      changes.clear();
    }
    Map<String, Long> counted = counting.get();
    synchronized (this) {
      Set<String> businesses = new HashSet<>(open.keySet());
      businesses.addAll(counted.keySet());
      businesses.forEach(business -> correct(business, counted.getOrDefault(business, 0L)));
    }
  }

  private synchronized void correct(String business, long counted) {
    long doubt = changes.getOrDefault(business, 0L) + underWay.getOrDefault(business, 0L);
    long own = open.getOrDefault(business, 0L);
    long corrected = Math.max(counted - doubt, Math.min(own, counted + doubt));
    open.put(business, corrected);
    open.remove(business, 0L);
  }

  @Override
  public void changed(HalfKey key, HalfState before, HalfState after, Duration age) {
    long change = (after.isOpen() ? 1L : 0L) - (before.isOpen() ? 1L : 0L);
    if (max != null && change != 0) {
      note(key, change);
    }
  }

  private synchronized void note(HalfKey key, long change) {
    open.merge(key.business(), change, Long::sum);
    changes.merge(key.business(), 1L, Long::sum);
    if (change > 0) {
      preparing.getOrDefault(key.business(), new HashMap<>()).remove(key);
    }
  }

  /**
   * Makes calls if there is room for what they leave undecided.
   *
   * @throws ProblemException naming the calls for which there is none; then none takes effect
   */
  public List<HalfAnswer> call(HalfMessages half, List<HalfCall> calls) {
    if (max == null) {
      return half.callAll(calls);
    }
    Set<HalfKey> wanted = leftUndecided(calls);
    if (begin(calls, wanted).isPresent()) {
      wanted = unknown(half, wanted);
      Optional<String> full = begin(calls, wanted);
      if (full.isPresent()) {
        throw refusal(calls, full.get(), wanted);
      }
    }
    try {
      return half.callAll(calls);
    } finally {
      end(calls, wanted);
    }
  }

  /** Keys that calls prepare and do not decide. */
  private static Set<HalfKey> leftUndecided(List<HalfCall> calls) {
    Set<HalfKey> left = new LinkedHashSet<>();
    Set<HalfKey> decided = new HashSet<>();
    for (HalfCall call : calls) {
      boolean prepares = call instanceof HalfCall.Prepare;
      if (prepares && !decided.contains(call.key())) {
        left.add(call.key());
      } else if (!prepares && (left.remove(call.key()) || isRemembered(call.step()))) {
        decided.add(call.key());
      }
    }
    return left;
  }

  private static boolean isRemembered(HalfStep step) {
    return step == HalfStep.COMMIT_OR_REMEMBER || step == HalfStep.ROLLBACK_OR_REMEMBER;
  }

  /** A repeat of what is there adds nothing. */
  private static Set<HalfKey> unknown(HalfMessages half, Set<HalfKey> keys) {
    Set<HalfKey> unknown = new LinkedHashSet<>();
    half.states(keys)
        .forEach(
            (key, state) -> {
              if (state == HalfState.UNKNOWN) {
                unknown.add(key);
              }
            });
    return unknown;
  }

  /** Names a business that has no room; if there is none, the calls are under way. */
  private synchronized Optional<String> begin(List<HalfCall> calls, Set<HalfKey> wanted) {
    Map<String, Long> more = new HashMap<>();
    for (HalfKey key : wanted) {
      if (!preparing.getOrDefault(key.business(), Map.of()).containsKey(key)) {
        more.merge(key.business(), 1L, Long::sum);
      }
    }
    for (String business : new TreeSet<>(more.keySet())) {
      if (max != null && number(business) + more.getOrDefault(business, 0L) > max) {
        return Optional.of(business);
      }
    }
    calls.forEach(call -> underWay.merge(call.key().business(), 1L, Long::sum));
    wanted.forEach(
        key ->
            preparing
                .computeIfAbsent(key.business(), business -> new HashMap<>())
                .merge(key, 1, Integer::sum));
    return Optional.empty();
  }

  private synchronized void end(List<HalfCall> calls, Set<HalfKey> wanted) {
    for (HalfCall call : calls) {
      underWay.computeIfPresent(
          call.key().business(), (business, count) -> count == 1 ? null : count - 1);
    }
    for (HalfKey key : wanted) {
      preparing.computeIfPresent(
          key.business(),
          (business, keys) -> {
            keys.computeIfPresent(key, (each, count) -> count == 1 ? null : count - 1);
            return keys.isEmpty() ? null : keys;
          });
    }
  }

  private synchronized long number(String business) {
    return open.getOrDefault(business, 0L) + preparing.getOrDefault(business, Map.of()).size();
  }

  private ProblemException refusal(List<HalfCall> calls, String full, Set<HalfKey> wanted) {
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      HalfCall call = calls.get(i);
      if (call instanceof HalfCall.Prepare
          && call.key().business().equals(full)
          && wanted.contains(call.key())) {
        numbers.add(i);
      }
    }
    return new ProblemException(
        429,
        HalfProblem.TOO_MANY,
        "business %s has %d undecided half messages (expected: at most %d, set by %s.undecided-max): commit or roll back what is open, GET /v1/undecided lists it, then repeat the call; nothing took effect"
            .formatted(full, number(full), max, ServerProperties.PREFIX),
        INTERVAL,
        numbers);
  }

  @Override
  public void close() {
    rounds.close();
  }
}
