package io.angarium.alert;

import io.angarium.internal.OneLine;
import io.angarium.internal.UnicodeText;

/**
 * Something that a rule finds wrong now. Immutable.
 *
 * @param subject of the alert, see {@link AlertKey#subject}
 * @param severity how much it matters
 * @param value the number that is too large, for a person and a chart
 * @param text what is wrong, in one sentence of 1..{@link #TEXT_LENGTH_MAX} characters; never a
 *     payload, a key or the value of a header, as it leaves the process
 */
public record Finding(String subject, Severity severity, double value, String text) {
  /** The longest text. */
  public static final int TEXT_LENGTH_MAX = 1_000;

  /** Cuts a text that is too long, and replaces what no database stores. */
  public Finding {
    value = Double.isFinite(value) ? value : 0;
    subject = UnicodeText.cut(OneLine.of(subject), AlertKey.SUBJECT_LENGTH_MAX);
    text = OneLine.of(text);
    text =
        text.length() > TEXT_LENGTH_MAX ? UnicodeText.cut(text, TEXT_LENGTH_MAX - 1) + "…" : text;
  }

  /** Returns a finding about the whole outbox. */
  public static Finding ofOutbox(Severity severity, double value, String text) {
    return new Finding(AlertKey.OUTBOX, severity, value, text);
  }
}
