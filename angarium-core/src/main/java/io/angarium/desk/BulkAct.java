package io.angarium.desk;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.desk.MessageQuery.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An act on every message of a stage that fits a filter, in steps that each commit. It leaves alone
 * what came into the stage after {@code until}, so that it does what was seen and no more. A step
 * that was interrupted is repeated without harm. Immutable.
 *
 * @param kind what is done
 * @param filter which messages are meant
 * @param permitted which of them the acting person may change
 * @param until only messages that were in the stage at this instant are changed, by the database's
 *     clock; null for the first call, which takes the instant of its first read
 * @param cursor where to continue; null for the first call
 * @param messagesMax the call stops when it has changed so many, 1..{@link #MESSAGES_MAX}
 */
public record BulkAct(
    Kind kind,
    MessageFilter filter,
    Predicate<MessageRow> permitted,
    @Nullable Instant until,
    @Nullable String cursor,
    int messagesMax) {
  /** The most messages that one call changes. */
  public static final int MESSAGES_MAX = 10_000;

  /** No further step begins after this time. */
  public static final Duration TIME_MAX = Duration.ofSeconds(15);

  private static final ActResult NOTHING = new ActResult(List.of(), List.of(), Map.of());

  /** What is done with messages, and in which stage they are. */
  public enum Kind {
    /** Sends dead letters again. */
    REQUEUE(Stage.DEAD),
    /** Takes dead letters away. */
    DISCARD(Stage.DEAD),
    /** Brings discarded messages back. */
    RESTORE(Stage.DISCARDED),
    /** Takes delayed messages away. */
    CANCEL(Stage.DELAYED),
    /** Makes waiting messages of paused destinations dead letters. */
    BURY(Stage.WAITING);

    private final Stage stage;

    Kind(Stage stage) {
      this.stage = stage;
    }

    /** The stage whose messages are changed. */
    public Stage stage() {
      return stage;
    }
  }

  /**
   * How far one call came. Immutable.
   *
   * @param done messages that were changed
   * @param notFound messages that somebody else changed meanwhile
   * @param refused messages that were left alone
   * @param scanned rows that were read
   * @param until the instant to continue with
   * @param next the cursor to continue with; null if everything is done
   */
  public record Progress(
      int done, int notFound, int refused, long scanned, Instant until, @Nullable String next) {}

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public BulkAct {
    if (messagesMax < 1 || messagesMax > MESSAGES_MAX) {
      throw new IllegalArgumentException(
          "messagesMax: " + messagesMax + " (expected: 1.." + MESSAGES_MAX + ")");
    }
  }

  /**
   * Acts on the next messages. Blocks for {@link #TIME_MAX} and the time of one step at most.
   *
   * @throws StoreException if the database cannot be reached; the steps before have taken effect
   */
  public Progress run(Desk desk, ActBy by) {
    long endNanos = TimeSource.SYSTEM.nanoTime() + TIME_MAX.toNanos();
    Progress all = new Progress(0, 0, 0, 0, until == null ? Instant.EPOCH : until, cursor);
    boolean first = until == null;
    do {
      all = step(desk, by, all, first);
      first = false;
    } while (all.next() != null
        && all.done() + all.notFound() + all.refused() < messagesMax
        && TimeSource.SYSTEM.nanoTime() - endNanos < 0);
    return all;
  }

  private Progress step(Desk desk, ActBy by, Progress before, boolean first) {
    int changed = before.done() + before.notFound() + before.refused();
    int limit = Math.min(MessageQuery.LIMIT_MAX, messagesMax - changed);
    MessagePage page =
        desk.messages()
            .search(
                MessageQuery.newest(kind.stage(), filter, limit)
                    .order(Order.OLDEST)
                    .permitted(first ? permitted : permitted.and(before(before.until())))
                    .cursor(before.next()));
    Instant last = first ? page.now() : before.until();
    List<MessageId> ids =
        page.rows().stream().filter(before(last)).map(MessageRow::id).distinct().toList();
    ActResult result = ids.isEmpty() ? NOTHING : act(desk.acts(), ids, by);
    return new Progress(
        before.done() + result.done().size(),
        before.notFound() + result.notFound().size(),
        before.refused() + result.refused().size(),
        before.scanned() + page.scanned().rows(),
        last,
        page.next());
  }

  /** True for what was in the stage at that instant. The time of a delayed message is no such. */
  private Predicate<MessageRow> before(Instant last) {
    return kind.stage() == Stage.DELAYED
        ? row -> !row.createdAt().isAfter(last)
        : row -> !row.at().isAfter(last);
  }

  private ActResult act(MessageActs acts, List<MessageId> ids, ActBy by) {
    return switch (kind) {
      case REQUEUE -> acts.requeue(ids, by);
      case DISCARD -> acts.discard(ids, by);
      case RESTORE -> acts.restore(ids, by);
      case CANCEL -> acts.cancel(ids, by);
      case BURY -> acts.bury(ids, by);
    };
  }
}
