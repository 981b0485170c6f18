package io.angarium.store;

import io.angarium.MessageId;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that were given up, for a person or a policy to decide. Each call is a transaction
 * of its own, blocks, and throws {@link StoreException} if the database cannot be reached.
 * Thread-safe.
 */
public interface DeadLetters {
  /** The most dead letters one page may hold. */
  int PAGE_MAX = 1_000;

  /**
   * A page, oldest sequence first.
   *
   * @param destination only those of this destination in its text form; null for all
   * @param after the position of the last one of the page before; null for the first page
   * @param limit 1..{@link #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range
   */
  List<DeadLetter> page(@Nullable String destination, @Nullable Position after, int limit);

  /** The dead letters of these ids; one not found is left out. */
  List<DeadLetter> find(Collection<MessageId> ids);

  /**
   * Sends messages again, with no attempts counted. One that blocks its key takes its old place
   * before the waiting ones; any other is enqueued anew at the end of its key.
   *
   * @param by who decided, kept with the message as "updated by"
   * @return how many were found
   */
  int requeue(Collection<MessageId> ids, String by);

  /**
   * Deletes messages for good. If one blocked its key, the waiting ones go on.
   *
   * @param by who decided, written to the log
   * @return how many were found
   */
  int discard(Collection<MessageId> ids, String by);
}
