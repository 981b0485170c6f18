package io.angarium.desk;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search for messages of one stage, within limits that hold however many there are. Immutable.
 *
 * @param filter which messages are meant; an implementation may use its parts to read less
 * @param permitted which of them the asking person may see; called once for a row that fits the
 *     filter
 * @param order by the stage's own order: waiting, retrying and held messages by sequence, the
 *     others by their own time, see {@link Stage}
 * @param cursor the {@code next} of the page before; null for the first page
 * @param limit messages of the page, 1..{@link #LIMIT_MAX}
 */
public record MessageQuery(
    Stage stage,
    MessageFilter filter,
    Predicate<MessageRow> permitted,
    Order order,
    @Nullable String cursor,
    int limit,
    SearchBudget budget) {
  /** The most messages of one page. */
  public static final int LIMIT_MAX = 200;

  /** Which messages come first. */
  public enum Order {
    /** The newest first. */
    NEWEST,
    /** The oldest first. */
    OLDEST
  }

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public MessageQuery {
    if (limit < 1 || limit > LIMIT_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + LIMIT_MAX + ")");
    }
  }

  /** The newest messages of a stage that fit, with the default budget. */
  public static MessageQuery newest(Stage stage, MessageFilter filter, int limit) {
    return new MessageQuery(
        stage, filter, row -> true, Order.NEWEST, null, limit, SearchBudget.DEFAULT);
  }

  /** The same search in this order. */
  public MessageQuery order(Order other) {
    return new MessageQuery(stage, filter, permitted, other, cursor, limit, budget);
  }

  /** The same search, continued where a page ended. */
  public MessageQuery cursor(@Nullable String next) {
    return new MessageQuery(stage, filter, permitted, order, next, limit, budget);
  }

  /** The same search for what may be given to somebody. */
  public MessageQuery permitted(Predicate<MessageRow> rows) {
    return new MessageQuery(stage, filter, rows, order, cursor, limit, budget);
  }

  /** The same search with another budget. */
  public MessageQuery budget(SearchBudget other) {
    return new MessageQuery(stage, filter, permitted, order, cursor, limit, other);
  }
}
