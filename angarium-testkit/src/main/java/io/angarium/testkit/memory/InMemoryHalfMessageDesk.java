package io.angarium.testkit.memory;

import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfDetails;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.decide.OperatorDecision;
import io.angarium.testkit.memory.InMemoryHalfMessages.Prepared;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A desk for half messages in memory, for tests. Thread-safe. */
public final class InMemoryHalfMessageDesk implements HalfMessageDesk {
  private final InMemoryHalfMessages half;
  private final InMemoryCheckStore checks;
  private final TimeSource time;
  private final Map<HalfKey, Deque<OperatorDecision>> acts = new HashMap<>();

  /**
   * Creates it for half messages and their list.
   *
   * @param time the same as of both
   */
  public InMemoryHalfMessageDesk(
      InMemoryHalfMessages half, InMemoryCheckStore checks, TimeSource time) {
    this.half = half;
    this.checks = checks;
    this.time = time;
  }

  @Override
  public List<HalfDetails> unresolved(long after, int limit) {
    HalfMessageDesk.requirePage(Duration.ZERO, limit);
    return half.prepared().stream()
        .filter(row -> row.number() > after && half.state(row.key()) == HalfState.UNRESOLVED)
        .limit(limit)
        .map(this::details)
        .toList();
  }

  @Override
  public List<HalfDetails> undecided(Duration olderThan, long after, int limit) {
    HalfMessageDesk.requirePage(olderThan, limit);
    Instant before = time.instant().minus(olderThan);
    return half.prepared().stream()
        .filter(row -> row.number() > after && row.at().isBefore(before))
        .map(this::details)
        .filter(each -> each.check() != null && isOpen(each.state()))
        .limit(limit)
        .toList();
  }

  private static boolean isOpen(HalfState state) {
    return state == HalfState.PREPARED || state == HalfState.UNRESOLVED;
  }

  @Override
  public Optional<HalfDetails> find(HalfKey key) {
    return half.prepared().stream()
        .filter(row -> row.key().equals(key))
        .map(this::details)
        .findFirst();
  }

  private HalfDetails details(Prepared row) {
    return new HalfDetails(
        row.number(),
        row.key(),
        half.state(row.key()),
        row.destination(),
        row.checkBack() == null ? null : row.checkBack().toString(),
        row.at(),
        null,
        checks.details(row.number()));
  }

  @Override
  public synchronized List<OperatorDecision> acts(HalfKey key) {
    return acts.getOrDefault(key, new ArrayDeque<>()).stream().limit(ACTS_MAX).toList();
  }

  @Override
  public HalfBacklog backlog() {
    return checks.backlog();
  }

  @Override
  public synchronized HalfState act(HalfKey key, HalfStep step, String by, String reason) {
    HalfMessageDesk.require(step, by, reason);
    HalfState before = half.state(key);
    HalfAnswer answer = half.act(key, step);
    HalfState after = answer.accepted();
    if (step == HalfStep.RESUME) {
      half.prepared().stream().filter(row -> row.key().equals(key)).forEach(checks::resume);
    }
    acts.computeIfAbsent(key, none -> new ArrayDeque<>())
        .addFirst(new OperatorDecision(time.instant(), by, step, reason, before, after));
    return after;
  }
}
