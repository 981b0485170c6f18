package io.angarium.alert;

import io.angarium.internal.Wildcard;
import java.util.List;

/**
 * A channel, and what it is told. Immutable.
 *
 * @param channel the way
 * @param severityMin what matters less is not told
 * @param rules names of the rules that are told, a star stands for any characters; empty for all
 */
public record AlertRoute(AlertChannel channel, Severity severityMin, List<String> rules) {
  /** Copies the list. */
  public AlertRoute {
    rules = List.copyOf(rules);
  }

  /** Tells a channel everything. */
  public static AlertRoute all(AlertChannel channel) {
    return new AlertRoute(channel, Severity.INFO, List.of());
  }

  /** Whether the channel tells an alert. */
  public boolean wants(AlertKey key, Severity severity) {
    return severity.compareTo(severityMin) >= 0
        && (rules.isEmpty() || rules.stream().anyMatch(rule -> Wildcard.of(rule).fits(key.rule())));
  }
}
