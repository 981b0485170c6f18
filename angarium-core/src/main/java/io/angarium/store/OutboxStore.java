package io.angarium.store;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.deadletter.DeadLetters;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.LeaseLostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the relay asks of a database. A row in the outbox means "not sent yet"; there is no status.
 * Each kind of store has one implementation. Methods get added as default methods and to the
 * contract suite first. All methods block and commit before they return; thread-safe.
 *
 * <p>Reads return committed rows only, and rows of one partition come from one snapshot. Writes
 * that take a {@link Lease} are fenced: they check it in their own transaction and hold it there,
 * so that no new owner can come between. They throw {@link LeaseLostException} if it is lost. Every
 * method throws {@link StoreException} if the database cannot be reached or refuses.
 */
public interface OutboxStore extends AutoCloseable {
  /**
   * Returns which outbox this is: a number that its tables got when they were created. Positions
   * mean something only together with it, so a relay takes hand-overs of its own source only. Does
   * not block. A store that wraps another returns the number of the other.
   *
   * @return null for tables that do not tell, or before the store has first used a connection
   */
  default @Nullable UUID source() {
    return null;
  }

  /**
   * Counts how often this store has found that it reaches another database than before: another
   * server took over, or a backup was restored. What was committed last may be missing then, and a
   * position may be that of another message. The call that finds it does nothing and throws {@link
   * StoreException}, as do all calls after it until {@link #adopt}. Does not block.
   *
   * @return 0 at first; always 0 for a store that cannot tell
   */
  default int era() {
    return 0;
  }

  /**
   * Goes on in an era. The caller has forgotten every position that it knew, and no call with one
   * is under way.
   *
   * @param era what {@link #era} has returned; if it has risen since, calls still fail
   */
  default void adopt(int era) {}

  /**
   * Reads rows of the spans in order of sequence within each span; rows of several spans may come
   * mixed. The bytes of the limit are shared out in the order of the spans, so that a caller who
   * changes it serves all of them in time.
   *
   * @param spans at most one per partition
   * @param limit rows of each span, bytes in all
   */
  ReadRows read(List<SequenceRange> spans, ReadLimit limit);

  /**
   * Reads rows at known positions, in order of sequence within each partition. Rows that are gone
   * are left out.
   *
   * @param positions not empty
   * @param limit rows and bytes in all
   * @return with {@code more} empty if no limit cut it
   */
  default ReadRows readAt(Collection<Position> positions, ReadLimit limit) {
    List<StoredMessage> rows = new ArrayList<>();
    long bytes = 0;
    for (Position position : positions.stream().sorted().toList()) {
      long sequence = position.sequence();
      SequenceRange span = new SequenceRange(position.partition(), sequence - 1, sequence);
      for (StoredMessage row : read(List.of(span), ReadLimit.rows(1)).rows()) {
        bytes += row.message().payload().length;
        if (rows.size() == limit.rows() || (bytes > limit.bytes() && !rows.isEmpty())) {
          return new ReadRows(
              rows, positions.stream().map(Position::partition).collect(Collectors.toSet()));
        }
        rows.add(row);
      }
    }
    return new ReadRows(rows, Set.of());
  }

  /**
   * Reads rows of the spans that may have been committed after a snapshot was taken: sequences are
   * handed out before the commit, so a row can appear below others that were read before. May
   * return rows that were visible already. If spans are left, it returns at least one row, so that
   * a caller who knows it then gets further.
   *
   * @param spans at most one per partition; none to take the snapshot alone
   * @param since the snapshot of the last complete call; null for the first call, which returns
   *     every row of the spans
   * @param limit rows and bytes in all
   * @param known rows that the caller has already: they are left out and do not count as bytes;
   *     whether they count as rows is up to the store
   */
  LateRows readLate(
      List<SequenceRange> spans,
      @Nullable Snapshot since,
      ReadLimit limit,
      Predicate<Position> known);

  /**
   * Reads late rows like {@link #readLate(List, Snapshot, ReadLimit, Predicate)}, for a caller that
   * knows no rows.
   */
  default LateRows readLate(List<SequenceRange> spans, @Nullable Snapshot since, ReadLimit limit) {
    return readLate(spans, since, limit, position -> false);
  }

  /**
   * How far the sequence has come: no committed row has a higher one. The cheapest question a store
   * can answer, asked at every idle poll; writes nothing. It goes back only if another server took
   * over that lacks what was written last.
   *
   * @return 0 if no message was ever written
   */
  long lastSequence();

  /**
   * Says how a person makes the next sequence lie above a row's, for a message. Does not block.
   *
   * @param above the sequence of the row
   */
  default String howToRaiseSequence(long above) {
    return "Raise the sequence above " + above + ".";
  }

  /**
   * Asks for the last sequence, and whether anything is due, all at once. Idle relays call it, and
   * a database may have many of them. Writes nothing. A store that cannot tell says that something
   * is due.
   *
   * @param partitions whose parked and delayed messages count; none if it is empty
   * @param ahead how far to look ahead for the delayed message that is due next
   * @return as it was during this call
   */
  default WorkHint glance(Collection<Integer> partitions, Duration ahead) {
    return new WorkHint(lastSequence(), true);
  }

  /** Asks like {@link #glance(Collection, Duration)}, without looking ahead. */
  default WorkHint glance(Collection<Integer> partitions) {
    return glance(partitions, Duration.ZERO);
  }

  /** Notes how far the sequence has come and which transactions might still use a part of it. */
  SequenceMark mark();

  /** True once every transaction that could bring a row up to the mark's sequence has ended. */
  boolean settled(SequenceMark mark);

  /**
   * Deletes rows that the broker acknowledged, by exact position, or moves them to the history if
   * one is kept. Not fenced: an acknowledgement stays true. Rows already gone are passed over.
   */
  void delete(Collection<Position> positions);

  /**
   * Deletes rows that the broker acknowledged in an earlier {@link #era}, as {@link #delete} does,
   * but each only if it still holds the same message: an earlier state of the database may have
   * given the position to another one. The default deletes nothing, so that the messages are sent
   * again.
   *
   * @return the positions that hold another message; those rows stay
   */
  default Set<Position> deleteExact(Collection<SentMessage> messages) {
    return Set.of();
  }

  /**
   * Moves rows from the outbox to the parked list, of any number of keys and partitions in one
   * transaction. A row no longer in the outbox is passed over. The head of a key carries its due
   * time; the caller parks a head only when the key has none. Followers may find that what they
   * were to wait for was settled, requeued or discarded meanwhile: if their key has neither a head
   * nor a dead letter that blocks it, its lowest becomes the head, due at once. If one of the
   * leases is lost, nothing is parked, of the others neither: the caller parks without it.
   *
   * @param leases of the partitions of all parkings; not empty
   * @param parkings may be empty
   */
  void park(Collection<Lease> leases, List<ParkedEntry> parkings);

  /**
   * Tells which leases are still held, all as of one moment during this call. A relay asks after a
   * read and before it hands the rows over. If the lease of a partition is held, no other node has
   * parked or buried a message of it, so the read missed none of a key. Writes nothing. An
   * implementation should not wait for locks; the default does, because it asks by {@link #park}.
   *
   * @param leases all of one node
   * @return the partitions of those that are held
   */
  default Set<Integer> held(Collection<Lease> leases) {
    return leases.stream().filter(this::isHeld).map(Lease::partition).collect(Collectors.toSet());
  }

  private boolean isHeld(Lease lease) {
    try {
      park(List.of(lease), List.of());
      return true;
    } catch (LeaseLostException e) {
      return false;
    }
  }

  /**
   * The hashes of keys that have a parked head or follower, or a dead letter that blocks them, by
   * partition; a partition without any may be absent.
   */
  Map<Integer, Set<Long>> blockedKeys(Collection<Integer> partitions);

  /**
   * Parked heads that are due by the database's clock, longest due first.
   *
   * @param except destinations to leave out, because they are down
   * @param limit rows and bytes in all
   * @return with {@code more} empty if no limit cut it
   */
  ReadRows dueHeads(
      Collection<Integer> partitions, Collection<Destination> except, ReadLimit limit);

  /**
   * The parked messages of a key, head and followers, in order of sequence.
   *
   * @param limit rows and bytes in all; the first ones come
   */
  List<StoredMessage> parkedOfKey(int partition, long keyHash, ReadLimit limit);

  /**
   * Records the outcome of parked messages that were sent again, of any number of keys and
   * partitions in one transaction. Acknowledged messages leave the parked list, and move to the
   * history if one is kept. A failed message becomes the head of its key with its new attempts,
   * pause and error. If none failed, the lowest message left of the key becomes the head, due at
   * once. A key that a dead letter blocks gets no head: a person may have restored that dead letter
   * while the messages behind it were under way. Rows already gone are skipped. If one of the
   * leases is lost, nothing is written for any lease. The caller then settles the outcomes of the
   * other leases alone.
   *
   * @param settlements at most one per key; may be empty
   * @return the hashes of the keys that are still blocked: they have parked messages, or a dead
   *     letter that blocks them
   */
  Set<Long> settleParked(List<ParkedOutcome> settlements);

  /**
   * Makes messages dead letters, from the outbox or the parked list, whichever holds them. Unless
   * it blocks its key, the lowest message left parked of the key becomes head and due at once.
   */
  void bury(Lease lease, List<DeadEntry> burials);

  /**
   * Moves delayed messages whose time has come into the outbox, where they get a new sequence at
   * the end of their key.
   *
   * @param limit at least 1
   * @return the positions they have now, in any order
   */
  List<Position> enqueueDue(Collection<Lease> leases, int limit);

  /** How much waits; cheap enough to be asked every few seconds. */
  Backlog backlog();

  /**
   * Where the store reports broken invariants; by default it reports none. A relay calls it when it
   * is built; a later call takes the place of the one before.
   */
  default void tripwire(Tripwire tripwire) {}

  /** The dead letters of this database. */
  DeadLetters deadLetters();

  /** Frees connections held by the store; calls after it fail. May be called twice. */
  @Override
  void close();
}
