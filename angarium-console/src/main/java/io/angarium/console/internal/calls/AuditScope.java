package io.angarium.console.internal.calls;

import io.angarium.MessageId;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.Stage;
import io.angarium.reconciliation.ReportDesk;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which entries of the audit an operator may see whose grants do not cover everything: its
 * own entries, and entries about what it may see now. An entry about a message that is nowhere any
 * more is not shown, as nothing says whose it was. Thread-safe.
 */
final class AuditScope {
  private static final String DESTINATION = "destination";
  private static final Set<String> OF_ALERTS = Set.of("alert", "silence");
  private static final String CORRECT = "correct";
  private static final String REPORT = "report";

  private final Permits permits;
  private final MessageCalls messages;

  AuditScope(Permits permits, MessageCalls messages) {
    this.permits = permits;
    this.messages = messages;
  }

  /** Keeps the entries that the operator of a call may see, in their order. */
  List<AuditEntry> visible(Call call, List<AuditEntry> entries) {
    Operator operator = call.operator();
    Set<MessageId> others = new LinkedHashSet<>();
    for (AuditEntry entry : entries) {
      MessageId id = isOwn(operator, entry) ? null : messageOf(entry);
      if (id != null) {
        others.add(id);
      }
    }
    Set<MessageId> seen =
        others.isEmpty()
            ? Set.of()
            : messages.fitting(
                call, EnumSet.allOf(Stage.class), others, row -> operator.may(Right.VIEW, row));
    return entries.stream()
        .filter(entry -> isVisible(call, entry, seen))
        .map(entry -> isOwn(operator, entry) ? entry : withoutFormerDestination(entry))
        .toList();
  }

  /** A message that was redirected into the scope came from a destination that may lie outside. */
  private static AuditEntry withoutFormerDestination(AuditEntry entry) {
    return entry.act().equals(CORRECT)
        ? new AuditEntry(
            entry.id(),
            entry.at(),
            entry.by(),
            entry.act(),
            entry.targetKind(),
            entry.target(),
            null)
        : entry;
  }

  private boolean isVisible(Call call, AuditEntry entry, Set<MessageId> seen) {
    if (isOwn(call.operator(), entry)) {
      return true;
    }
    MessageId id = messageOf(entry);
    if (id != null) {
      return seen.contains(id);
    }
    String target = entry.target();
    if (entry.targetKind().equals(DESTINATION)) {
      return call.operator().mayDestination(Right.VIEW, target);
    }
    if (OF_ALERTS.contains(entry.targetKind())) {
      int space = target.indexOf(' '); // the rule stands before it, the subject behind
      return space > 0
          && AlertScope.covers(call.operator(), Right.VIEW, target.substring(space + 1));
    }
    return entry.targetKind().equals(REPORT) && isVisibleReport(call, target);
  }

  private static boolean isOwn(Operator operator, AuditEntry entry) {
    return entry.by().decision().by().equals(operator.name());
  }

  private static @Nullable MessageId messageOf(AuditEntry entry) {
    if (!entry.targetKind().equals(AuditEntry.MESSAGE)) {
      return null;
    }
    try {
      return new MessageId(Call.uuid("target", entry.target()));
    } catch (Problem e) {
      return null;
    }
  }

  private boolean isVisibleReport(Call call, String target) {
    ReportDesk reports = call.database().reports();
    String id = target.substring(0, Math.max(0, target.indexOf(' ')));
    return reports != null
        && id.matches("\\d{1,18}")
        && permits
            .ask(() -> reports.find(Long.parseLong(id)))
            .filter(report -> ReportCalls.may(call.operator(), Right.VIEW, report))
            .isPresent();
  }
}
