package io.angarium.confirmation;

import io.angarium.MessageId;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The producer's side: which of the messages that were sent their consumers have processed. A
 * message for a destination that demands it is kept after it was sent until a receipt for it comes.
 * All methods block, commit before they return, and throw {@link io.angarium.StoreException} if the
 * database cannot be reached or refuses. Thread-safe.
 */
public interface Confirmations {
  /**
   * Notes receipts: consumers have processed these messages. Repeats and ids of messages that need
   * none do no harm.
   *
   * @param ids in any order; may be empty
   */
  void confirm(Collection<MessageId> ids);

  /**
   * Settles the messages whose time for a confirmation is over. Sends them again at the end of
   * their key. Makes them dead letters with the reason "unconfirmed" if they were sent often
   * enough, and logs each of these. Any number of nodes may call it.
   */
  Overdue settleOverdue();

  /**
   * Settles overdue messages like {@link #settleOverdue()}.
   *
   * @param progress run before each part of the work, so that a long run can be distinguished from
   *     a stuck one
   */
  default Overdue settleOverdue(Runnable progress) {
    return settleOverdue();
  }

  /**
   * What became of messages whose time was over.
   *
   * @param confirmed their receipt had come in the meantime
   * @param resent they are in the outbox once more
   * @param dead they are dead letters now
   */
  record Overdue(int confirmed, int resent, int dead) {
    /** Nothing. */
    public static final Overdue NONE = new Overdue(0, 0, 0);

    /** The sum of two. */
    public Overdue plus(Overdue other) {
      return new Overdue(confirmed + other.confirmed, resent + other.resent, dead + other.dead);
    }
  }

  /**
   * How many messages were sent and are not confirmed.
   *
   * @return exact up to {@link io.angarium.store.Backlog#EXACT_MAX}, which it never exceeds by more
   *     than one
   */
  long unconfirmed();

  /**
   * Counts unconfirmed messages by destination, most first, {@link ConfirmationDesk#COUNT_MAX} in
   * all.
   */
  default List<Unconfirmed> byDestination() {
    return List.of();
  }

  /**
   * Forgets receipts that were kept for long enough.
   *
   * @return how many
   */
  int forgetReceipts();

  /**
   * Forgets receipts like {@link #forgetReceipts()}.
   *
   * @param progress as in {@link #settleOverdue(Runnable)}
   */
  default int forgetReceipts(Runnable progress) {
    return forgetReceipts();
  }

  /**
   * What the database refuses for good to note of single messages, for a health check; the others
   * are noted.
   *
   * @return empty if nothing is refused
   */
  default Optional<String> fault() {
    return Optional.empty();
  }
}
