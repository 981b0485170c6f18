package io.angarium.desk;

import io.angarium.MessageId;
import io.angarium.StoreException;
import java.time.Duration;
import java.util.Collection;

/**
 * What persons decide about messages. Each call is one transaction that also writes its entries of
 * the {@link AuditLog}, blocks, and throws {@link StoreException} if the database cannot be
 * reached. An id that is not in the stage is passed over, so that a repeated call changes nothing.
 * Every call takes 1..{@link #IDS_MAX} ids, else {@link IllegalArgumentException}. Thread-safe.
 */
public interface MessageActs {
  /** The most messages of one call. */
  int IDS_MAX = 1_000;

  /** How long a pause must last on so that messages of its destinations can be buried. */
  Duration PAUSE_LEFT_MIN = Duration.ofSeconds(10);

  /**
   * Sends dead letters again, with no attempts counted. One that blocks its key takes its old place
   * before the waiting ones; any other is enqueued anew at the end of its key.
   */
  ActResult requeue(Collection<MessageId> dead, ActBy by);

  /**
   * Takes dead letters away; they are kept for a while, see {@link #restore}. If one blocked its
   * key, the waiting ones go on.
   */
  ActResult discard(Collection<MessageId> dead, ActBy by);

  /**
   * Makes discarded messages dead letters again, or delayed ones if they were; a delayed one that
   * is overdue by then is due at once.
   *
   * <p>A dead letter blocks its key again if it did before, a message waited for it when it was
   * discarded, and the first of those still waits or blocks the key itself. An attempt that is
   * under way at that moment goes on, so that its message may arrive before the restored one. Any
   * other comes back without blocking its key: nothing proves then that no later message was sent,
   * and the relay would not know of it. A requeue sends that one at the end of its key.
   */
  ActResult restore(Collection<MessageId> discarded, ActBy by);

  /** Takes delayed messages away, so that they are not sent; see {@link #restore}. */
  ActResult cancel(Collection<MessageId> delayed, ActBy by);

  /**
   * Makes delayed messages, and those that are retrying, due at once; the relay finds them at its
   * next poll. One that is due already keeps its place. A held message is in neither stage.
   */
  ActResult sendNow(Collection<MessageId> delayedOrRetrying, ActBy by);

  /**
   * Makes waiting, retrying and held messages dead letters, e.g. because their destination is
   * misspelt. The later messages of their keys go on.
   *
   * <p>A relay may be sending a message that waits. So one is refused unless its destination is
   * paused, every live node has {@link io.angarium.desk.DestinationPause#applied applied} that, and
   * the pause does not end within {@link #PAUSE_LEFT_MIN}.
   */
  ActResult bury(Collection<MessageId> undelivered, ActBy by);
}
