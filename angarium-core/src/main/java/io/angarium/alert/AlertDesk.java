package io.angarium.alert;

import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where persons look after alerts. Every act commits with its entry in the audit. All methods
 * block, and throw {@link StoreException} if the database cannot be reached. Thread-safe.
 */
public interface AlertDesk {
  /** What persons do, as the audit names it. */
  enum Act {
    /** Takes care of an alert. */
    TAKE("take-alert", "alert"),
    /** Begins a silence. */
    SILENCE("silence-alerts", "silence"),
    /** Ends a silence. */
    LIFT("lift-silence", "silence");

    private final String act;
    private final String kind;

    Act(String act, String kind) {
      this.act = act;
      this.kind = kind;
    }

    /** Its entry in the audit; a target that is too long is cut. */
    public AuditEntry entry(ActBy by, String target) {
      return AuditEntry.of(by, act, kind, target, null);
    }
  }

  /** All alerts: those that are on first, worst first, then the latest. */
  List<Alert> alerts();

  /** What channels were told of them. */
  List<Told> told();

  /** Silences that have not ended, by their ends. */
  List<Silence> silences();

  /**
   * Takes care of an alert that is on, which ends its reminders. The reason says what for.
   *
   * @param from who has taken it, as the person sees it; null if it seems to be free
   * @return false if it is not on, or somebody else has it by now
   */
  boolean take(AlertKey key, @Nullable String from, ActBy by);

  /**
   * Begins a silence.
   *
   * @param rule of the alerts; a star stands for any characters
   * @param subject of the alerts; a star stands for any characters
   * @param length how long, 1 min..{@link Silence#MAX}
   * @throws IllegalArgumentException if the length is out of range or a text is empty or too long
   */
  Silence silence(String rule, String subject, Duration length, ActBy by);

  /**
   * Ends a silence.
   *
   * @return false if there is none of that number
   */
  boolean lift(long silence, ActBy by);
}
