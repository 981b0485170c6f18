package io.angarium.reconciliation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A report that is kept, in numbers; its keys are {@link ReportKeys}. Immutable.
 *
 * @param id its number
 * @param task the task that compared
 * @param destination where the messages of the first side go; null if they cannot be sent again
 * @param window what was compared
 * @param comparedAt when, by the database's clock
 * @param produced how many keys the first side has
 * @param consumed how many keys the second side has
 * @param missing how many of the first side the second lacks
 * @param unexpected how many of the second side the first lacks
 * @param repeated how many the second side has more often
 * @param agrees whether both sides have the same keys
 * @param repair what was done about it; null if nothing was
 */
public record StoredReport(
    long id,
    String task,
    @Nullable String destination,
    Window window,
    Instant comparedAt,
    long produced,
    long consumed,
    int missing,
    int unexpected,
    int repeated,
    boolean agrees,
    @Nullable Repair repair) {
  /**
   * What was done about differences. Immutable.
   *
   * @param at when, by the database's clock
   * @param by who did it: a person, or the task itself
   * @param reason why
   * @param sentAgain how many messages were sent again
   */
  public record Repair(Instant at, String by, String reason, int sentAgain) {}

  /** Whether it differs and nothing was done about it. */
  public boolean open() {
    return !agrees && repair == null;
  }
}
