package io.angarium.half.internal.remote;

import io.angarium.InvalidMessageException;
import io.angarium.OutboxException;
import io.angarium.StoreException;
import io.angarium.half.NotPermittedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a request to a server of half messages ended.
 *
 * @param <A> what is answered to one call or key
 */
public sealed interface HalfReply<A> {
  /** With an answer for each. Immutable. */
  record Answers<A>(List<A> all) implements HalfReply<A> {}

  /**
   * Without. Immutable.
   *
   * @param kind what that means for a caller
   * @param text what happened, to whom, and what to do
   * @param calls the numbers of the calls that are at fault; empty if all are
   * @param cause of a {@link StoreException}
   */
  record Failure<A>(Kind kind, String text, List<Integer> calls, @Nullable Throwable cause)
      implements HalfReply<A> {
    /** What the callers of those at fault are told; thrown by them. */
    public OutboxException exception() {
      return switch (kind) {
        case INVALID, TOO_LARGE_TOGETHER -> new InvalidMessageException(text);
        case NOT_PERMITTED -> new NotPermittedException(text);
        case FAILED_TOGETHER, FAILED -> new StoreException(text, cause);
      };
    }
  }

  /** What a failure means for a caller. */
  enum Kind {
    /** The request is too large; nothing took effect. One by one they may well be taken. */
    TOO_LARGE_TOGETHER,
    /** The calls are wrong; nothing took effect. */
    INVALID,
    /** The caller may not make them; nothing took effect. */
    NOT_PERMITTED,
    /** The database refused them together; one by one some may well be taken. */
    FAILED_TOGETHER,
    /** There is no use in another try now. */
    FAILED
  }
}
