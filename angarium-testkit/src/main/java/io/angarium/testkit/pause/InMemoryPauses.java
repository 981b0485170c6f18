package io.angarium.testkit.pause;

import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.PauseDesk;
import io.angarium.pause.PauseStore;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Pauses that are lost with the object. Thread-safe. */
public final class InMemoryPauses implements PauseDesk, PauseStore {
  private record Row(long version, DestinationPause pause) {}

  private final Object lock;
  private final Supplier<Instant> now;
  private final Supplier<Collection<NodeId>> liveNodes;
  private final Consumer<AuditEntry> audit;

  private final List<Row> rows = new ArrayList<>();
  private final Map<NodeId, Long> applied = new HashMap<>();
  private long version;
  private long lastId;

  /**
   * Creates it without pauses.
   *
   * @param lock held during every call, and while the functions are asked
   * @param liveNodes the nodes that are alive
   * @param audit takes the entry of an act; what it throws undoes the act
   */
  public InMemoryPauses(
      Object lock,
      Supplier<Instant> now,
      Supplier<Collection<NodeId>> liveNodes,
      Consumer<AuditEntry> audit) {
    this.lock = lock;
    this.now = now;
    this.liveNodes = liveNodes;
    this.audit = audit;
  }

  @Override
  public List<DestinationPause> pauses() {
    synchronized (lock) {
      Collection<NodeId> live = liveNodes.get();
      return inForce().stream()
          .map(row -> counted(row, live))
          .sorted(
              Comparator.comparing(DestinationPause::until).thenComparingLong(DestinationPause::id))
          .toList();
    }
  }

  private List<Row> inForce() {
    Instant time = now.get();
    return rows.stream().filter(row -> row.pause().until().isAfter(time)).toList();
  }

  private DestinationPause counted(Row row, Collection<NodeId> live) {
    DestinationPause pause = row.pause();
    long ready =
        live.stream().filter(node -> applied.getOrDefault(node, -1L) >= row.version()).count();
    return new DestinationPause(
        pause.id(),
        pause.destinations(),
        pause.since(),
        pause.until(),
        pause.by(),
        pause.reason(),
        (int) ready,
        live.size());
  }

  @Override
  public DestinationPause pause(String destinations, Duration length, ActBy by) {
    DestinationPause.check(destinations, length);
    synchronized (lock) {
      List<Row> before = inForce();
      Optional<Row> same =
          before.stream()
              .filter(row -> row.pause().destinations().equals(destinations))
              .findFirst();
      if (same.isEmpty() && before.size() >= DestinationPause.PAUSES_MAX) {
        throw new IllegalArgumentException(
            "pauses: %d (expected: at most %d)"
                .formatted(before.size() + 1, DestinationPause.PAUSES_MAX));
      }
      audit.accept(entry(by, "pause-destination", destinations));
      version++;
      rows.retainAll(before);
      same.ifPresent(rows::remove);
      Instant time = now.get();
      Instant since = same.map(row -> row.pause().since()).orElse(time);
      DestinationPause begun =
          new DestinationPause(
              ++lastId,
              destinations,
              since,
              time.plus(length),
              by.decision().by(),
              by.decision().reason(),
              0,
              0);
      Row row = new Row(same.map(Row::version).orElse(version), begun);
      rows.add(row);
      return counted(row, liveNodes.get());
    }
  }

  @Override
  public boolean resume(long pause, ActBy by) {
    synchronized (lock) {
      Optional<Row> found = inForce().stream().filter(row -> row.pause().id() == pause).findFirst();
      found.ifPresent(
          row -> {
            audit.accept(entry(by, "resume-destination", row.pause().destinations()));
            version++;
            rows.remove(row);
          });
      return found.isPresent();
    }
  }

  private static AuditEntry entry(ActBy by, String act, String destinations) {
    return AuditEntry.of(by, act, "destination", destinations, null);
  }

  @Override
  public Optional<InForce> changedSince(long known) {
    synchronized (lock) {
      if (known == version) {
        return Optional.empty();
      }
      Instant time = now.get();
      List<Remaining> remaining =
          inForce().stream()
              .map(Row::pause)
              .map(
                  pause ->
                      new Remaining(pause.destinations(), Duration.between(time, pause.until())))
              .toList();
      return Optional.of(new InForce(version, remaining));
    }
  }

  @Override
  public void applied(NodeId node, long upTo) {
    synchronized (lock) {
      applied.put(node, upTo);
    }
  }
}
