package io.angarium.jdbc.internal.write;

import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.ParkedSql;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.StoreSessions;
import io.angarium.jdbc.internal.session.Transaction;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.lease.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The fenced writes: into the parked list, out of it, and to the dead letters. A key has at most
 * one head among its parked messages, and none while a dead letter blocks it. Thread-safe.
 */
public final class ParkedMessages {
  private final StoreSessions sessions;
  private final Dialect dialect;
  private final boolean history;
  private final SentNotes notes;

  public ParkedMessages(StoreSessions sessions, Dialect dialect, JdbcConfig config) {
    this.sessions = sessions;
    this.dialect = dialect;
    this.history = config.history();
    this.notes = new SentNotes(dialect, config.confirmation());
  }

  /** See {@link io.angarium.store.OutboxStore#park}. */
  public void park(Collection<Lease> leases, List<ParkedEntry> parkings) {
    storable(parkings, ParkedMessages::plain, given -> parkGiven(leases, given));
  }

  /**
   * Writes reasons in ASCII if the database refuses them as they are: its encoding may lack what a
   * broker says.
   */
  private static <E, T> T storable(
      List<E> given, UnaryOperator<E> plain, Function<List<E>, T> write) {
    try {
      return write.apply(given);
    } catch (WriteRefusedException refused) {
      List<E> plainly = given.stream().map(plain).toList();
      if (plainly.equals(given)) {
        throw refused;
      }
      return write.apply(plainly);
    }
  }

  private static ParkedEntry plain(ParkedEntry p) {
    return new ParkedEntry(
        p.position(), p.keyHash(), p.head(), p.attempts(), p.pause(), Reason.plain(p.error()));
  }

  private static ParkedOutcome plain(ParkedOutcome s) {
    return new ParkedOutcome(
        s.lease(),
        s.keyHash(),
        s.acknowledged(),
        s.failed().stream().map(ParkedMessages::plain).toList());
  }

  private static DeadEntry plain(DeadEntry b) {
    String reason = Objects.requireNonNull(Reason.plain(b.reason()));
    return new DeadEntry(b.position(), b.keyHash(), b.keyed(), b.attempts(), reason, b.blocksKey());
  }

  private int parkGiven(Collection<Lease> leases, List<ParkedEntry> parkings) {
    parkings.forEach(parking -> requirePartition(leases, parking.position()));
    return fenced(
        "parking messages",
        leases,
        connection -> {
          int parked =
              parkings.isEmpty()
                  ? 0
                  : Transaction.runAll(connection, dialect.parked().park(parkings));
          requireHeads(connection, parkings);
          return parked;
        });
  }

  /** What the followers were to wait for may have been settled or discarded meanwhile. */
  private void requireHeads(Connection connection, List<ParkedEntry> parkings) throws SQLException {
    List<ParkedKey> keys =
        parkings.stream().filter(p -> !p.head()).map(ParkedKey::of).distinct().toList();
    if (!keys.isEmpty()) {
      Transaction.runAll(connection, dialect.parked().promote(keys));
    }
  }

  /** See {@link io.angarium.store.OutboxStore#settleParked}. */
  public Set<Long> settle(List<ParkedOutcome> settlements) {
    return storable(settlements, ParkedMessages::plain, this::settleGiven);
  }

  private Set<Long> settleGiven(List<ParkedOutcome> settlements) {
    if (settlements.isEmpty()) {
      return Set.of();
    }
    List<Lease> leases = settlements.stream().map(ParkedOutcome::lease).distinct().toList();
    return fenced(
        "settling parked messages",
        leases,
        connection -> {
          takeOff(connection, settlements);
          return reschedule(connection, settlements);
        });
  }

  private void takeOff(Connection connection, List<ParkedOutcome> settlements) throws SQLException {
    List<Position> ascending =
        settlements.stream().flatMap(s -> s.acknowledged().stream()).sorted().toList();
    if (!ascending.isEmpty()) {
      notes.add(connection, "outbox_parked", ascending);
      Transaction.runAll(connection, dialect.parked().deleteParked(ascending, history));
    }
  }

  private Set<Long> reschedule(Connection connection, List<ParkedOutcome> settlements)
      throws SQLException {
    List<ParkedEntry> failed = settlements.stream().flatMap(s -> s.failed().stream()).toList();
    List<ParkedKey> keys =
        settlements.stream().filter(ParkedOutcome::keyed).map(ParkedKey::of).toList();
    if (!keys.isEmpty()) {
      Transaction.runAll(connection, dialect.parked().demote(keys));
    }
    int there =
        failed.isEmpty() ? 0 : Transaction.runEach(connection, dialect.parked().reschedule(failed));
    boolean allThere = there == failed.size();
    List<ParkedKey> open = keys.stream().filter(key -> key.head() == 0 || !allThere).toList();
    Set<Long> blocked = new HashSet<>(keys.stream().map(ParkedKey::keyHash).toList());
    open.forEach(key -> blocked.remove(key.keyHash()));
    if (!open.isEmpty()) {
      Transaction.runAll(connection, dialect.parked().promote(open));
      blocked.addAll(dialect.parked().stillBlocked(open).query(connection, row -> row.getLong(1)));
    }
    return blocked;
  }

  /** See {@link io.angarium.store.OutboxStore#bury}. */
  public void bury(Lease lease, List<DeadEntry> burials) {
    storable(burials, ParkedMessages::plain, given -> buryGiven(lease, given));
  }

  private int buryGiven(Lease lease, List<DeadEntry> burials) {
    burials.forEach(burial -> requirePartition(List.of(lease), burial.position()));
    return fenced(
        "burying messages",
        List.of(lease),
        connection -> {
          if (!burials.isEmpty()) {
            Transaction.runAll(connection, dialect.deadLetters().bury(burials));
          }
          chooseHeads(connection, dialect.parked(), keysOf(burials));
          return burials.size();
        });
  }

  private static List<ParkedKey> keysOf(List<DeadEntry> burials) {
    return burials.stream()
        .filter(DeadEntry::keyed)
        .map(burial -> ParkedKey.of(burial.position().partition(), burial.keyHash()))
        .distinct()
        .toList();
  }

  /** Makes the lowest parked message of each key its head, unless a dead letter blocks the key. */
  static void chooseHeads(Connection connection, ParkedSql parked, List<ParkedKey> keys)
      throws SQLException {
    if (!keys.isEmpty()) {
      Transaction.runAll(connection, parked.demote(keys));
      Transaction.runAll(connection, parked.promote(keys));
    }
  }

  private static void requirePartition(Collection<Lease> leases, Position position) {
    if (leases.stream().noneMatch(lease -> lease.partition() == position.partition())) {
      throw new IllegalArgumentException(
          position + " (expected: a position of a partition of " + leases + ")");
    }
  }

  private <T> T fenced(String what, Collection<Lease> leases, Session.Work<T> work) {
    return sessions
        .write()
        .transaction(
            what,
            connection -> {
              Transaction.fence(connection, dialect.leases(), leases);
              return work.with(connection);
            });
  }
}
