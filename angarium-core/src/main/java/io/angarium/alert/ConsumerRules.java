package io.angarium.alert;

import io.angarium.alert.signal.Signals;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.reconciliation.StoredReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rules about what consumers did with messages. */
final class ConsumerRules {
  private ConsumerRules() {}

  static List<AlertRule> all() {
    return List.of(
        StandardRules.rule(
            "unconfirmed",
            "Consumers do not confirm: they are down or behind, or their receipts do not arrive."
                + " Their messages are sent again, and become dead letters in the end.",
            Duration.ofMinutes(5),
            1,
            ConsumerRules::unconfirmed),
        StandardRules.rule(
            "reconciliation",
            "What was produced and what was consumed differ. Read the report, then send what is"
                + " missing again or mark it as settled.",
            Duration.ZERO,
            1,
            ConsumerRules::differing));
  }

  private static List<Finding> unconfirmed(Signals signals, double threshold) {
    List<Finding> found = new ArrayList<>();
    for (Unconfirmed each : signals.unconfirmed()) {
      String destination = each.destination();
      if (each.overdue() >= threshold) {
        found.add(
            new Finding(
                destination,
                Severity.WARNING,
                each.overdue(),
                "Unconfirmed messages of %s that no node settles: %d"
                    .formatted(destination, each.overdue())));
      } else if (each.sentAgain() >= threshold) {
        found.add(
            new Finding(
                destination,
                Severity.WARNING,
                each.sentAgain(),
                "Unconfirmed messages of %s that were sent again: %d of %d"
                    .formatted(destination, each.sentAgain(), each.count())));
      }
    }
    return found;
  }

  /** One for each task, about its latest report. */
  private static List<Finding> differing(Signals signals, double threshold) {
    Map<String, List<StoredReport>> byTask = new LinkedHashMap<>();
    signals
        .openReports()
        .forEach(
            report -> byTask.computeIfAbsent(report.task(), task -> new ArrayList<>()).add(report));
    List<Finding> found = new ArrayList<>();
    byTask.forEach(
        (task, reports) -> {
          long keys = reports.stream().mapToLong(ConsumerRules::keys).sum();
          if (keys >= threshold) {
            found.add(new Finding(task, Severity.CRITICAL, keys, text(task, reports)));
          }
        });
    return found;
  }

  /** One that names none comes from a window that changed each time it was read. */
  private static long keys(StoredReport report) {
    return Math.max(1, (long) report.missing() + report.unexpected() + report.repeated());
  }

  private static String text(String task, List<StoredReport> reports) {
    StoredReport latest = reports.get(0);
    return "Reports of %s that differ: %d; the latest of %s to %s: %d missing, %d unexpected, %d repeated"
        .formatted(
            task,
            reports.size(),
            latest.window().from(),
            latest.window().to(),
            latest.missing(),
            latest.unexpected(),
            latest.repeated());
  }
}
