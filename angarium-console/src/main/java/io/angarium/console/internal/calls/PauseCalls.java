package io.angarium.console.internal.calls;

import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.PauseDesk;
import io.angarium.internal.ShownAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Destinations to which nothing is sent for a while. Thread-safe. */
public final class PauseCalls {
  private static final long MINUTES_MAX = DestinationPause.MAX.toMinutes();

  private final Permits permits;

  public PauseCalls(Permits permits) {
    this.permits = permits;
  }

  /** What to pause, and for how long. Immutable. */
  record PauseRequest(
      @Nullable String destinations, @Nullable Integer minutes, @Nullable String reason) {}

  /** Which pause to end. Immutable. */
  record ResumeRequest(@Nullable String id, @Nullable String reason) {}

  /** A pause. Immutable. */
  record Shown(
      String id,
      String destinations,
      Instant since,
      Instant until,
      String by,
      String reason,
      int applied,
      int nodes) {
    static Shown of(DestinationPause pause) {
      return new Shown(
          String.valueOf(pause.id()),
          ShownAddress.of(pause.destinations()),
          pause.since(),
          pause.until(),
          pause.by(),
          pause.reason(),
          pause.applied(),
          pause.nodes());
    }
  }

  /** The pauses that an operator may see. Immutable. */
  record Pauses(List<Shown> items) {}

  /** A pause that was ended. Immutable. */
  record Resumed(String id) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/pauses",
            Right.VIEW,
            "Lists pauses, and how many nodes have applied each",
            Pauses.class,
            List.of(),
            this::pauses),
        ApiRoute.act(
            "POST",
            "{db}/pauses",
            Right.OPERATE,
            "Pauses destinations for a while: their messages wait, and no attempt is used up",
            PauseRequest.class,
            Shown.class,
            this::pause),
        ApiRoute.act(
            "POST",
            "{db}/pauses/resume",
            Right.OPERATE,
            "Ends a pause: messages are sent again, few at first",
            ResumeRequest.class,
            Resumed.class,
            this::resume));
  }

  private Answer pauses(Call call) {
    PauseDesk desk = call.database().desk().pauses();
    return Answer.of(new Pauses(shown(permits.ask(desk::pauses), call.operator())));
  }

  static List<Shown> shown(List<DestinationPause> pauses, Operator operator) {
    return pauses.stream()
        .filter(each -> may(operator, Right.VIEW, each.destinations()))
        .map(Shown::of)
        .toList();
  }

  /** A star in the text needs a star in the grant, so that a grant covers all that it fits. */
  private static boolean may(Operator operator, Right right, String destinations) {
    return operator.mayAll(right) || operator.mayDestination(right, destinations);
  }

  private Answer pause(Call call) {
    PauseRequest given = call.body(PauseRequest.class);
    String destinations = given.destinations();
    if (destinations == null) {
      throw Problem.invalid(
          "destinations: none (expected: e.g. kafka:orders, or kafka:* for all of a transport)");
    }
    Integer minutes = given.minutes();
    if (minutes == null || minutes < 1 || minutes > MINUTES_MAX) {
      throw Problem.invalid("minutes: %s (expected: 1..%d)".formatted(minutes, MINUTES_MAX));
    }
    ActBy by = call.actBy(given.reason(), null);
    if (!may(call.operator(), Right.OPERATE, destinations)) {
      throw Problem.notPermitted(
          "destinations: '%s' is more than you may operate (expected: destinations within your grants)"
              .formatted(destinations));
    }
    PauseDesk desk = call.database().desk().pauses();
    try {
      DestinationPause begun =
          permits.ask(() -> desk.pause(destinations, Duration.ofMinutes(minutes), by));
      return Answer.of(Shown.of(begun));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  private Answer resume(Call call) {
    ResumeRequest given = call.body(ResumeRequest.class);
    String id = given.id();
    if (id == null || !id.matches("\\d{1,18}")) {
      throw Problem.invalid("id: (expected: that of a pause)");
    }
    ActBy by = call.actBy(given.reason(), null);
    PauseDesk desk = call.database().desk().pauses();
    long pause = Long.parseLong(id);
    boolean resumed =
        permits.ask(
            () ->
                desk.pauses().stream()
                        .filter(each -> each.id() == pause)
                        .anyMatch(each -> may(call.operator(), Right.OPERATE, each.destinations()))
                    && desk.resume(pause, by));
    if (!resumed) {
      throw Problem.unknown("no pause has this id, or it has ended");
    }
    return Answer.of(new Resumed(id));
  }
}
