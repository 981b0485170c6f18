package io.angarium.deadletter;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.intake.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages that were given up, for a person or a policy to decide. Each call is a transaction
 * of its own, blocks, and throws {@link StoreException} if the database cannot be reached.
 * Thread-safe.
 */
public interface DeadLetters {
  /** The most dead letters one page may hold. */
  int PAGE_MAX = 1_000;

  /** After so many messages {@link #requeueAll} stops and says where to continue. */
  int REQUEUE_MAX = 10_000;

  /** After this time {@link #requeueAll} begins no further step. */
  Duration REQUEUE_TIME = Duration.ofSeconds(20);

  /** The most bytes of payloads one page holds, unless its first message alone is larger. */
  long PAGE_BYTES_MAX = 8 << 20;

  /**
   * Reads a page, oldest sequence first. The page ends early where payloads would exceed {@link
   * #PAGE_BYTES_MAX}; only an empty page is the end.
   *
   * @param destination only dead letters for this destination, in its text form; null for all
   * @param after the position of the last dead letter of the page before; null for the first page
   * @param limit 1..{@link #PAGE_MAX}
   * @throws IllegalArgumentException if the limit is out of range
   */
  List<DeadLetter> page(@Nullable String destination, @Nullable Position after, int limit);

  /**
   * Searches without loading payloads or headers. Reads rows in the order of the query until the
   * page is full or the budget is used up; the page says how far it looked.
   */
  DeadLetterPage search(DeadLetterQuery query);

  /**
   * The dead letters of these ids without payloads and headers; one not found is left out.
   *
   * @param ids at most {@link #PAGE_MAX}
   * @throws IllegalArgumentException if there are more
   */
  List<DeadLetterRow> rows(Collection<MessageId> ids);

  /**
   * The dead letters of these ids, lowest position first; one not found is left out. Ends early
   * where payloads would exceed {@link #PAGE_BYTES_MAX}: ask for the others again. The answer to a
   * single id is always whole.
   *
   * @param ids at most {@link #PAGE_MAX}
   * @throws IllegalArgumentException if there are more
   */
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
   * Does the same and returns which messages are sent again; any other id was no dead letter.
   *
   * @param ids at most {@link #PAGE_MAX}
   * @throws IllegalArgumentException if there are more
   */
  Set<MessageId> requeue(Collection<MessageId> ids, Decision decision);

  /**
   * Requeues all dead letters that match, oldest first, in transactions of at most {@link
   * DeadLetterQuery#LIMIT_MAX}. Leaves alone what is given up after the call began, so that a
   * message that dies again is not sent in circles. Stops after {@link #REQUEUE_MAX} messages or
   * {@link #REQUEUE_TIME}; the result then says where to continue. May be repeated.
   *
   * @param matches which rows are meant, see {@link DeadLetterFilter}
   * @param until the {@code until} of the call before; null for the first call
   * @param after the {@code next} of the call before; null for the first call
   */
  default RequeueProgress requeueAll(
      Predicate<DeadLetterRow> matches,
      @Nullable Instant until,
      @Nullable Position after,
      Decision decision) {
    long startNanos = TimeSource.SYSTEM.nanoTime();
    Instant last = until;
    Position next = after;
    int requeued = 0;
    int gone = 0;
    long looked = 0;
    do {
      Predicate<DeadLetterRow> frozen = last == null ? matches : matches.and(diedBy(last));
      DeadLetterPage page =
          search(
              DeadLetterQuery.of(frozen, DeadLetterQuery.Order.OLDEST, DeadLetterQuery.LIMIT_MAX)
                  .after(next));
      last = last == null ? page.now() : last;
      List<MessageId> found =
          page.rows().stream().filter(diedBy(last)).map(DeadLetterRow::id).toList();
      int done = found.isEmpty() ? 0 : requeue(found, decision).size();
      requeued += done;
      gone += found.size() - done;
      looked += page.looked().rows();
      next = page.next();
    } while (next != null
        && requeued + gone < REQUEUE_MAX
        && TimeSource.SYSTEM.nanoTime() - startNanos < REQUEUE_TIME.toNanos());
    return new RequeueProgress(requeued, gone, looked, last, next);
  }

  private static Predicate<DeadLetterRow> diedBy(Instant until) {
    return row -> !row.deadSince().isAfter(until);
  }

  /** Requeues all dead letters that match, see the method above, from the beginning. */
  default RequeueProgress requeueAll(Predicate<DeadLetterRow> matches, Decision decision) {
    return requeueAll(matches, null, null, decision);
  }

  /**
   * Deletes messages for good, unlike {@code io.angarium.desk.MessageActs}, which keeps them for a
   * while. If one blocked its key, the waiting ones go on.
   *
   * @param by who decided, written to the log
   * @return how many were found
   */
  int discard(Collection<MessageId> ids, String by);
}
