package io.angarium.testkit.memory;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetter;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditLog;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.PauseDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.memory.DeskTables.Discarded;
import io.angarium.testkit.memory.Storage.OutboxRow;
import io.angarium.testkit.pause.InMemoryPauses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The desk of an {@link InMemoryDatabase}. Thread-safe. */
final class InMemoryDesk implements Desk {
  private final Storage storage;
  private final StoreFaults faults;
  private final MessageIntake intake;
  private final InMemoryMessageBrowser browser;
  private final InMemoryPauses pauses;
  private final Acts acts;
  private final Audit audit = new Audit();

  InMemoryDesk(Storage storage, StoreFaults faults, MessageIntake intake, InMemoryPauses pauses) {
    this.intake = intake;
    this.pauses = pauses;
    this.storage = storage;
    this.faults = faults;
    this.acts = new Acts(new InMemoryDeadLetters(storage, this::call));
    this.browser = new InMemoryMessageBrowser(storage, this::call, intake.partitioning());
  }

  @Override
  public MessageBrowser messages() {
    return browser;
  }

  @Override
  public MessageActs acts() {
    return acts;
  }

  @Override
  public PauseDesk pauses() {
    return pauses;
  }

  @Override
  public AuditLog audit() {
    return audit;
  }

  private <T> T call(StoreCall call, Supplier<T> work) {
    return faults.strike(
        call,
        () -> {
          synchronized (storage) {
            return work.get();
          }
        });
  }

  /** What is to happen to one message. */
  private record Change(StoredMessage message, Runnable work) {}

  private final class Acts implements MessageActs {
    private final InMemoryDeadLetters letters;

    Acts(InMemoryDeadLetters letters) {
      this.letters = letters;
    }

    @Override
    public ActResult requeue(Collection<MessageId> dead, ActBy by) {
      return act("requeue", dead, by, () -> ofDead(d -> letters.requeue(d, by.decision().by())));
    }

    @Override
    public ActResult discard(Collection<MessageId> dead, ActBy by) {
      return act("discard", dead, by, () -> ofDead(letter -> discard(letter, by)));
    }

    @Override
    public ActResult restore(Collection<MessageId> discarded, ActBy by) {
      return act(
          "restore",
          discarded,
          by,
          () ->
              storage.desk.discarded.stream()
                  .map(each -> new Change(each.message(), () -> restore(each))));
    }

    @Override
    public ActResult cancel(Collection<MessageId> delayed, ActBy by) {
      return act(
          "cancel",
          delayed,
          by,
          () ->
              storage.delayed.values().stream().map(row -> new Change(row, () -> cancel(row, by))));
    }

    @Override
    public ActResult sendNow(Collection<MessageId> delayedOrRetrying, ActBy by) {
      return act(
          "sendNow",
          delayedOrRetrying,
          by,
          () ->
              Stream.concat(
                  storage.delayed.values().stream().map(row -> new Change(row, () -> makeDue(row))),
                  storage.parked.rows().stream()
                      .filter(ParkedMessage::head)
                      .map(
                          row ->
                              new Change(
                                  row.message(),
                                  () ->
                                      storage.parked.dueNow(
                                          row.message().position(), storage.now())))));
    }

    @Override
    public ActResult bury(Collection<MessageId> undelivered, ActBy by) {
      Map<MessageId, String> refused = new HashMap<>();
      ActResult result =
          act("bury", undelivered, by, () -> held(undelivered, by, refused).stream());
      List<MessageId> notFound =
          result.notFound().stream().filter(id -> !refused.containsKey(id)).toList();
      return new ActResult(result.done(), notFound, refused);
    }

    private List<Change> held(
        Collection<MessageId> wanted, ActBy by, Map<MessageId, String> refused) {
      List<DestinationPause> inForce = pauses.pauses();
      List<Change> held = new ArrayList<>();
      Stream.concat(
              storage.outbox.values().stream().map(OutboxRow::message),
              storage.parked.rows().stream().map(ParkedMessage::message))
          .filter(message -> wanted.contains(message.id()))
          .forEach(
              message -> {
                String destination = message.message().destination().toString();
                String why = DestinationPause.whyNotHeld(inForce, destination, storage.now());
                if (why == null) {
                  held.add(new Change(message, () -> bury(message, by)));
                } else {
                  refused.put(message.id(), why);
                }
              });
      return held;
    }

    private void bury(StoredMessage message, ActBy by) {
      storage.outbox.remove(message.position());
      storage.parked.remove(message.position());
      String reason = "buried by " + by.decision().by() + ": " + by.decision().reason();
      storage.dead.put(message.position(), new DeadLetter(message, reason, storage.now(), false));
      if (message.isKeyed() && !isBlocked(message)) {
        storage.parked.promoteLowest(
            message.position().partition(), message.keyHash(), storage.now());
      }
    }

    private boolean isBlocked(StoredMessage message) {
      return storage.dead.values().stream()
          .anyMatch(
              dead ->
                  dead.blocksKey()
                      && dead.message().position().partition() == message.position().partition()
                      && dead.message().keyHash() == message.keyHash());
    }

    @Override
    public ActResult correct(Collection<MessageId> dead, Correction change, ActBy by) {
      change.check(intake);
      return act(
          "correct",
          dead,
          by,
          message -> change.changed(message.message().destination().toString()),
          () -> ofDead(d -> letters.correct(d, change, intake.partitioning(), by.decision().by())));
    }

    private ActResult act(
        String name, Collection<MessageId> ids, ActBy by, Supplier<Stream<Change>> candidates) {
      return act(name, ids, by, message -> null, candidates);
    }

    private ActResult act(
        String name,
        Collection<MessageId> ids,
        ActBy by,
        Function<StoredMessage, @Nullable String> details,
        Supplier<Stream<Change>> candidates) {
      if (ids.isEmpty() || ids.size() > IDS_MAX) {
        throw new IllegalArgumentException(
            "ids: " + ids.size() + " (expected: 1.." + IDS_MAX + ")");
      }
      return call(
          StoreCall.ACT,
          () -> {
            Set<MessageId> wanted = Set.copyOf(ids);
            List<Change> changes =
                candidates
                    .get()
                    .filter(change -> wanted.contains(change.message().id()))
                    .sorted(Comparator.comparing(change -> change.message().position().sequence()))
                    .toList();
            Map<MessageId, AuditEntry> entries = new LinkedHashMap<>();
            changes.forEach(
                change ->
                    entries.put(
                        change.message().id(),
                        entry(name, change.message().id(), by, details.apply(change.message()))));
            Set<MessageId> done = new LinkedHashSet<>(entries.keySet());
            Set<MessageId> notFound = new LinkedHashSet<>(ids);
            notFound.removeAll(done);
            storage.desk.note(List.copyOf(entries.values()), storage.now());
            inOrder(name, changes).forEach(change -> change.work().run());
            done.forEach(id -> storage.updatedBy.put(id, by.decision().by()));
            return new ActResult(List.copyOf(done), List.copyOf(notFound), Map.of());
          });
    }

    /** One that is restored may be the first behind an earlier one. */
    private List<Change> inOrder(String name, List<Change> changes) {
      List<Change> order = new ArrayList<>(changes);
      if (name.equals("restore")) {
        Collections.reverse(order);
      }
      return order;
    }

    private AuditEntry entry(String act, MessageId id, ActBy by, @Nullable String details) {
      return AuditEntry.of(by, act, AuditEntry.MESSAGE, id.toString(), details);
    }

    private interface DeadWork {
      void on(DeadLetter dead);
    }

    private Stream<Change> ofDead(DeadWork work) {
      return storage.dead.values().stream()
          .map(letter -> new Change(letter.message(), () -> work.on(letter)));
    }

    private void discard(DeadLetter letter, ActBy by) {
      Position next = letter.blocksKey() ? firstBehind(letter.message()) : null;
      letters.discard(letter);
      storage.desk.discarded.add(new Discarded(letter.message(), letter, next, storage.now(), by));
    }

    private @Nullable Position firstBehind(StoredMessage dead) {
      return storage
          .parked
          .ofKey(dead.position().partition(), dead.keyHash())
          .map(row -> row.message().position())
          .filter(behind -> behind.sequence() > dead.position().sequence())
          .findFirst()
          .orElse(null);
    }

    private void cancel(StoredMessage row, ActBy by) {
      storage.delayed.remove(row.position());
      storage.desk.discarded.add(new Discarded(row, null, null, storage.now(), by));
    }

    private void restore(Discarded discarded) {
      storage.desk.discarded.remove(discarded);
      StoredMessage message = discarded.message();
      DeadLetter dead = discarded.dead();
      if (dead == null) {
        storage.delayed.put(message.position(), message);
        return;
      }
      Position next = discarded.next();
      boolean blocks = next != null && (isParked(next) || blocksKey(next));
      storage.dead.put(
          message.position(), new DeadLetter(message, dead.reason(), dead.deadSince(), blocks));
      if (blocks) {
        storage.parked.hold(message.position().partition(), message.keyHash());
      }
    }

    private boolean isParked(Position position) {
      return storage.parked.rows().stream()
          .anyMatch(row -> row.message().position().equals(position));
    }

    private boolean blocksKey(Position position) {
      DeadLetter dead = storage.dead.get(position);
      return dead != null && dead.blocksKey();
    }

    private void makeDue(StoredMessage row) {
      Instant now = storage.now();
      Instant due = row.message().notBefore();
      if (due != null && due.isAfter(now)) {
        storage.delayed.put(
            row.position(),
            new StoredMessage(
                row.position(),
                row.id(),
                row.message().notBefore(now),
                row.attempts(),
                row.createdAt()));
      }
    }
  }

  private final class Audit implements AuditLog {
    @Override
    public void note(AuditEntry entry) {
      call(
          StoreCall.ACT,
          () -> {
            storage.desk.note(List.of(entry), storage.now());
            return true;
          });
    }

    @Override
    public List<AuditEntry> page(AuditQuery query) {
      return call(
          StoreCall.BROWSE,
          () -> {
            List<AuditEntry> newest = new ArrayList<>(storage.desk.audit);
            newest.sort(Comparator.comparingLong(AuditEntry::id).reversed());
            return newest.stream().filter(e -> fits(query, e)).limit(query.limit()).toList();
          });
    }

    private static boolean fits(AuditQuery query, AuditEntry entry) {
      Long before = query.before();
      Instant from = query.from();
      Instant to = query.to();
      return isOrAny(query.by(), entry.by().decision().by())
          && isOrAny(query.act(), entry.act())
          && isOrAny(query.targetKind(), entry.targetKind())
          && isOrAny(query.target(), entry.target())
          && (from == null || !entry.at().isBefore(from))
          && (to == null || !entry.at().isAfter(to))
          && (before == null || entry.id() < before);
    }

    private static boolean isOrAny(@Nullable String wanted, String value) {
      return wanted == null || wanted.equals(value);
    }
  }
}
