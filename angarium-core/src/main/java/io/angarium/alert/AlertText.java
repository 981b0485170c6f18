package io.angarium.alert;

import io.angarium.internal.OneLine;
import io.angarium.internal.UnicodeText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Notices as plain text for a person. Every value stands in its own line behind a word of ours, and
 * no value can begin a line. Times are in UTC to the second. Thread-safe.
 */
public final class AlertText {
  private static final int TITLE_SUBJECT_MAX = 80;
  private static final int TITLE_SYSTEM_MAX = 60;
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private AlertText() {}

  /** One notice as a paragraph of lines without the system and without a line end at its end. */
  public static String of(Notice notice) {
    return paragraph(state(notice), notice);
  }

  /**
   * All notices as text: one paragraph for each alert, then how many more wait, then the link. The
   * text has no line end at its end.
   */
  public static String of(Notices notices) {
    StringBuilder text = new StringBuilder();
    for (Notice notice : notices.list()) {
      String head = state(notice) + " in " + OneLine.of(notices.system());
      text.append(paragraph(head, notice)).append("\n\n");
    }
    if (notices.more() > 0) {
      text.append("More alerts follow: ").append(notices.more()).append("\n\n");
    }
    String link = notices.address();
    if (link != null) {
      text.append("Link: ").append(OneLine.of(link));
    }
    return text.toString().strip();
  }

  /**
   * One line of at most 250 characters that says what this is about: the subject of a mail, the
   * title of a message.
   */
  public static String title(Notices notices) {
    String system = cut(OneLine.of(notices.system()), TITLE_SYSTEM_MAX);
    int all = notices.list().size() + notices.more();
    if (all == 1) {
      Notice only = notices.list().get(0);
      AlertKey key = only.alert().key();
      String subject = cut(OneLine.of(key.subject()), TITLE_SUBJECT_MAX);
      return "%s in %s: %s of %s".formatted(state(only), system, key.rule(), subject);
    }
    List<Severity> on =
        notices.list().stream()
            .filter(notice -> notice.kind() != Notice.Kind.RESOLVED)
            .map(notice -> notice.alert().severity())
            .toList();
    int recovered = notices.list().size() - on.size();
    String state = on.isEmpty() ? "RECOVERED" : Collections.max(on).name();
    String some = recovered == 0 ? "" : ", %d of them recovered".formatted(recovered);
    return "%s in %s: %d alerts%s".formatted(state, system, all, some);
  }

  /**
   * The time between two moments in its two largest units, such as {@code 14 min} or {@code 3 h 5
   * min}. A negative time counts as zero.
   */
  static String between(Instant from, Instant to) {
    long seconds = Math.max(0, Duration.between(from, to).toSeconds());
    if (seconds < MINUTE) {
      return seconds + " s";
    }
    if (seconds < HOUR) {
      return seconds / MINUTE + " min";
    }
    return seconds < DAY
        ? two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "min")
        : two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
  }

  private static String two(long large, String unit, long small, String smallUnit) {
    return small == 0
        ? "%d %s".formatted(large, unit)
        : "%d %s %d %s".formatted(large, unit, small, smallUnit);
  }

  private static String paragraph(String head, Notice notice) {
    Alert alert = notice.alert();
    AlertKey key = alert.key();
    boolean resolved = notice.kind() == Notice.Kind.RESOLVED;
    StringBuilder text = new StringBuilder(head);
    text.append(": ").append(key.rule()).append(" of ").append(OneLine.of(key.subject()));
    text.append(resolved ? "\nWas: " : "\nWhat: ").append(OneLine.of(alert.text()));
    text.append("\nSince: ").append(alert.since().truncatedTo(ChronoUnit.SECONDS));
    Instant ended = alert.resolvedAt();
    if (resolved && ended != null) {
      text.append(", recovered after ").append(between(alert.since(), ended));
    }
    if (!notice.meaning().isBlank()) {
      text.append("\nMeaning: ").append(OneLine.of(notice.meaning()));
    }
    return text.toString();
  }

  private static String state(Notice notice) {
    String severity = notice.alert().severity().name();
    return switch (notice.kind()) {
      case FIRING -> severity;
      case REMINDER -> "STILL " + severity;
      case RESOLVED -> "RECOVERED (" + severity.toLowerCase(Locale.ROOT) + ")";
      case TEST -> "TEST";
    };
  }

  private static String cut(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    return UnicodeText.cut(text, max - 1) + "…";
  }
}
