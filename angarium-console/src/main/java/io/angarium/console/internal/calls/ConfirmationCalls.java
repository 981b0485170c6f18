package io.angarium.console.internal.calls;

import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.BoundedCount;
import io.angarium.internal.ShownAddress;
import java.util.List;

/**
 * Which destinations wait for receipts. Their messages are searched and sent again as all others
 * are. Thread-safe.
 */
public final class ConfirmationCalls {
  private final Permits permits;

  public ConfirmationCalls(Permits permits) {
    this.permits = permits;
  }

  /** Unconfirmed messages by destination; {@code counted} is how many were looked at. Immutable. */
  record Confirmations(List<Unconfirmed> items, BoundedCount counted) {}

  /** The route. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/confirmations",
            Right.VIEW,
            "Counts messages that wait for the receipt of their consumer, by destination",
            Confirmations.class,
            List.of(),
            this::confirmations));
  }

  static ConfirmationDesk desk(Call call) {
    ConfirmationDesk desk = call.database().confirmations();
    if (desk == null) {
      throw Problem.unknown("database '" + call.database().name() + "' has no confirmations");
    }
    return desk;
  }

  private Answer confirmations(Call call) {
    ConfirmationDesk desk = desk(call);
    List<Unconfirmed> all =
        permits.ask(desk::byDestination).stream()
            .filter(each -> call.operator().mayDestination(Right.VIEW, each.destination()))
            .map(ConfirmationCalls::shown)
            .toList();
    long count = all.stream().mapToLong(Unconfirmed::count).sum();
    return Answer.of(new Confirmations(all, BoundedCount.upTo(ConfirmationDesk.COUNT_MAX, count)));
  }

  private static Unconfirmed shown(Unconfirmed of) {
    return new Unconfirmed(
        ShownAddress.of(of.destination()),
        of.count(),
        of.oldest(),
        of.sentAgain(),
        of.waiting(),
        of.sendsMax(),
        of.nextDue(),
        of.overdue());
  }
}
