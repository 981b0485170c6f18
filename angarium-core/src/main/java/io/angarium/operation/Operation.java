package io.angarium.operation;

import io.angarium.MessageId;
import io.angarium.internal.UnicodeText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operation, and how far it came. Immutable.
 *
 * @param plan what is to be done; its pace and its first few are those in force
 * @param createdAt by the database's clock
 * @param startAt nothing happens before this instant
 * @param node which node carries it out, or did last; null if none has
 * @param cursor where to continue, only for the store to read; null at the begin
 * @param endedAt when it ended; null while it has not
 * @param halt why it paused or stopped by itself; null if it did not
 */
public record Operation(
    OperationPlan plan,
    State state,
    Instant createdAt,
    Instant startAt,
    @Nullable String node,
    @Nullable String cursor,
    Counts counts,
    @Nullable Instant endedAt,
    @Nullable Halt halt) {
  /** It stops by itself when more messages than these were refused. */
  public static final int REFUSED_MAX = 1_000;

  /** Where an operation is. */
  public enum State {
    /** Begins soon; can be cancelled before anything happens. */
    WAITING,
    /** A node carries it out. */
    RUNNING,
    /** Goes on when a person resumes it. */
    PAUSED,
    /** Has reached every message. */
    DONE,
    /** A person ended it. */
    CANCELLED,
    /** Ended by itself before it was done. */
    STOPPED;

    /** Whether nothing happens any more. */
    public boolean isEnd() {
      return this == DONE || this == CANCELLED || this == STOPPED;
    }
  }

  /** Why an operation paused or stopped by itself. */
  public enum Halt {
    /** The first few are done. */
    FIRST_FEW,
    /** One of the next messages has a destination that is paused. */
    DESTINATION_PAUSED,
    /** More than {@link #REFUSED_MAX} messages were refused. */
    REFUSED,
    /** It has changed as many messages as it may. */
    MESSAGES_MAX
  }

  /**
   * What became of the messages that it reached. Immutable.
   *
   * @param scanned rows that were read
   * @param done messages that were changed
   * @param notFound messages that somebody else changed meanwhile
   * @param refused messages that were left alone
   */
  public record Counts(long scanned, long done, long notFound, long refused) {
    /** Nothing was reached yet. */
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** The messages that it reached. */
    public long reached() {
      return done + notFound + refused;
    }
  }

  /** A message that was left alone, and why. Immutable. */
  public record Refusal(MessageId id, String reason) {
    /** The most characters of a reason. */
    public static final int REASON_LENGTH_MAX = 300;

    /** Cuts the reason. */
    public Refusal {
      reason = UnicodeText.cut(reason, REASON_LENGTH_MAX);
    }
  }
}
