package io.angarium.testkit.memory;

import io.angarium.TimeSource;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfDetails;
import io.angarium.testkit.memory.InMemoryHalfMessages.Prepared;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The list of half messages in memory whose producers are to be asked, for tests. Thread-safe. */
public final class InMemoryCheckStore implements CheckStore {
  private final InMemoryHalfMessages half;
  private final TimeSource time;
  private final Map<Long, Entry> entries = new TreeMap<>();
  private final Map<Long, Instant> alerts = new TreeMap<>();

  /**
   * An entry of the list.
   *
   * @param nextAt null if it waits for a person
   * @param answer the last one
   * @param answeredAt when that was
   */
  private record Entry(
      DueCheck check,
      @Nullable Instant nextAt,
      @Nullable CheckAnswer answer,
      @Nullable Instant answeredAt) {}

  /**
   * Creates an empty list.
   *
   * @param time the same as of the half messages
   */
  public InMemoryCheckStore(InMemoryHalfMessages half, TimeSource time) {
    this.half = half;
    this.time = time;
  }

  @Override
  public long last() {
    return half.prepared().size();
  }

  @Override
  public synchronized Entered enter(long after, Duration age) {
    long reached = after;
    int looked = 0;
    for (Prepared row : half.prepared()) {
      if (row.number() <= after || looked == BATCH_MAX) {
        continue;
      }
      if (!row.at().plus(age).isBefore(time.instant())) {
        return new Entered(reached, false);
      }
      reached = row.number();
      looked++;
      if (half.state(row.key()) == HalfState.PREPARED && !entries.containsKey(row.number())) {
        entries.put(row.number(), new Entry(first(row), time.instant(), null, null));
      }
    }
    return new Entered(reached, looked == BATCH_MAX);
  }

  private static DueCheck first(Prepared row) {
    String address = row.checkBack() == null ? null : row.checkBack().toString();
    return new DueCheck(row.number(), 0, row.key(), address, 0, 0);
  }

  @Override
  public synchronized Claimed claim(int limit, Duration claim) {
    List<Entry> due =
        entries.values().stream()
            .filter(entry -> entry.nextAt() != null && !entry.nextAt().isAfter(time.instant()))
            .sorted(Comparator.comparing(Entry::nextAt))
            .limit(limit)
            .toList();
    List<DueCheck> claimed = new ArrayList<>();
    for (Entry entry : due) {
      if (half.state(entry.check().key()).isOpen()) {
        DueCheck check = next(entry.check());
        put(check, claim);
        claimed.add(check);
      } else {
        entries.remove(entry.check().number());
      }
    }
    return new Claimed(claimed, due.size() == limit);
  }

  private static DueCheck next(DueCheck check) {
    return noted(check, check.unknown(), check.unreachable());
  }

  private static DueCheck noted(DueCheck check, int unknown, int unreachable) {
    return new DueCheck(
        check.number(), check.version() + 1, check.key(), check.address(), unknown, unreachable);
  }

  private void put(DueCheck check, Duration pause) {
    Entry old = Objects.requireNonNull(entries.get(check.number()));
    Instant nextAt = time.instant().plus(pause);
    entries.put(check.number(), new Entry(check, nextAt, old.answer(), old.answeredAt()));
  }

  private void note(NotedCheck noted, @Nullable Instant nextAt) {
    DueCheck check = noted(noted.check(), noted.unknown(), noted.unreachable());
    entries.put(check.number(), new Entry(check, nextAt, noted.answer(), time.instant()));
  }

  private boolean isMine(DueCheck check) {
    Entry entry = entries.get(check.number());
    return entry != null && entry.nextAt() != null && entry.check().version() == check.version();
  }

  @Override
  public synchronized void putOff(Collection<DueCheck> checks, Duration pause) {
    checks.stream().filter(this::isMine).forEach(check -> put(next(check), pause));
  }

  @Override
  public synchronized void note(Collection<NotedCheck> checks) {
    for (NotedCheck noted : checks) {
      if (isMine(noted.check())) {
        note(noted, time.instant().plus(noted.pause()));
      }
    }
  }

  @Override
  public synchronized void strike(Collection<DueCheck> checks) {
    checks.forEach(check -> entries.remove(check.number()));
  }

  @Override
  public synchronized boolean giveUp(NotedCheck last) {
    if (!isMine(last.check())) {
      return false;
    }
    HalfKey key = last.check().key();
    half.step(key, HalfStep.GIVE_UP);
    if (half.state(key) != HalfState.UNRESOLVED) {
      entries.remove(last.check().number());
      return false;
    }
    note(last, null);
    alerts.put(last.check().number(), time.instant().plus(ALERT_CLAIM));
    return true;
  }

  @Override
  public synchronized List<DueCheck> untold() {
    alerts.keySet().removeIf(number -> !isUnresolved(entries.get(number)));
    List<Long> due =
        alerts.entrySet().stream()
            .filter(alert -> !alert.getValue().isAfter(time.instant()))
            .map(Map.Entry::getKey)
            .limit(BATCH_MAX)
            .toList();
    due.forEach(number -> alerts.put(number, time.instant().plus(ALERT_CLAIM)));
    return due.stream().map(number -> Objects.requireNonNull(entries.get(number)).check()).toList();
  }

  private boolean isUnresolved(@Nullable Entry entry) {
    return entry != null && half.state(entry.check().key()) == HalfState.UNRESOLVED;
  }

  @Override
  public synchronized void told(DueCheck givenUp) {
    alerts.remove(givenUp.number());
  }

  synchronized void resume(Prepared row) {
    Entry old = entries.get(row.number());
    DueCheck check = old == null ? first(row) : noted(old.check(), 0, 0);
    entries.put(
        row.number(),
        old == null
            ? new Entry(check, time.instant(), null, null)
            : new Entry(check, time.instant(), old.answer(), old.answeredAt()));
  }

  synchronized HalfDetails.@Nullable Check details(long number) {
    Entry entry = entries.get(number);
    if (entry == null) {
      return null;
    }
    CheckAnswer answer = entry.answer();
    return new HalfDetails.Check(
        entry.check().unknown(),
        entry.check().unreachable(),
        answer == null ? null : answer.verdict(),
        answer == null ? null : answer.reason(),
        entry.answeredAt(),
        entry.nextAt());
  }

  synchronized HalfBacklog backlog() {
    List<HalfState> states =
        entries.values().stream().map(entry -> half.state(entry.check().key())).toList();
    Instant late = time.instant().minus(HalfBacklog.OVERDUE_AFTER);
    return new HalfBacklog(
        states.stream().filter(state -> state == HalfState.PREPARED).count(),
        entries.values().stream()
            .filter(entry -> entry.nextAt() != null && entry.nextAt().isBefore(late))
            .count(),
        states.stream().filter(state -> state == HalfState.UNRESOLVED).count());
  }
}
