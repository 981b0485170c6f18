package io.angarium.benchmarks.arm;

import java.util.Locale;
import java.util.Map;

/** How an arm that consumes takes deliveries: its option {@code form}. */
public enum InboxForm {
  /** A transaction for each, its note a statement of its own. */
  SINGLE,
  /** A transaction for each, the note in the statement of the business where the database can. */
  FOLDED,
  /** One transaction for all of them. */
  BATCHED;

  private static final String OPTION = "form";

  /** The form an arm is opened with. */
  public static InboxForm of(ArmSettings settings) {
    return valueOf(settings.options().getOrDefault(OPTION, SINGLE.key()).toUpperCase(Locale.ROOT));
  }

  /** As in tables. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What an arm is to be opened with. */
  public Map<String, String> options() {
    return Map.of(OPTION, key());
  }
}
