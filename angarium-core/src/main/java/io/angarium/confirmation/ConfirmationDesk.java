package io.angarium.confirmation;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where persons look after messages that were sent and are not confirmed. Each call is a
 * transaction of its own, blocks, and throws {@link StoreException} if the database cannot be
 * reached. Thread-safe.
 */
public interface ConfirmationDesk {
  /** The most messages that are counted. */
  int COUNT_MAX = 10_000;

  /** The most messages of one act. */
  int IDS_MAX = 1_000;

  /**
   * Unconfirmed messages of one destination. Immutable.
   *
   * @param destination in its text form
   * @param count how many
   * @param oldest when the one was sent that has waited longest since its last send
   * @param sentAgain how many of them were sent more than once, or wait to be
   * @param waiting how many wait in the outbox to be sent again
   * @param sendsMax how often one of them was sent at most
   * @param nextDue when the next one is sent again, or becomes a dead letter; null if all wait in
   *     the outbox
   * @param overdue how many should have been settled for a minute: no node looks for them
   */
  record Unconfirmed(
      String destination,
      long count,
      Instant oldest,
      long sentAgain,
      long waiting,
      int sendsMax,
      @Nullable Instant nextDue,
      long overdue) {}

  /** Counts unconfirmed messages by destination, most first, {@link #COUNT_MAX} in all. */
  List<Unconfirmed> byDestination();

  /**
   * Sends unconfirmed messages again, at the end of their keys, although their time is not over.
   * Those that wait in the outbox anyway, or are confirmed by now, are not found. Commits with its
   * entries of the audit.
   *
   * @param unconfirmed 1..{@link #IDS_MAX} ids
   */
  ActResult sendAgain(Collection<MessageId> unconfirmed, ActBy by);
}
