package io.angarium.server.console;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.half.Refusal;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.Caller;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;

/** The operator API for dead letters. */
@RestController
final class ConsoleController {
  /** Where the operator API is. */
  static final String BASE = "/console/api/v1";

  private static final String MESSAGES = BASE + "/{db}/messages";
  private static final String OPERATIONS = BASE + "/{db}/operations";
  private static final String DATABASE = "default";
  private static final int BYTES_MAX = 64 << 10;
  private static final String ACTING = "Angarium-Console";

  private final ConsoleDesk desk;
  private final RequestBodies bodies;
  private final ConsoleJson json = new ConsoleJson();

  ConsoleController(ConsoleDesk desk, RequestBodies bodies) {
    this.desk = desk;
    this.bodies = bodies;
  }

  @PostMapping(
      path = MESSAGES + "/search",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ConsoleJson.Page search(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("db") String db,
      HttpServletRequest request)
      throws IOException {
    permit(caller, db, false);
    return desk.search(caller, read(request, ConsoleJson.Search.class));
  }

  @PostMapping(
      path = BASE + "/{db}/causes",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ConsoleJson.Causes causes(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("db") String db,
      HttpServletRequest request)
      throws IOException {
    permit(caller, db, false);
    ConsoleJson.CausesRequest given = read(request, ConsoleJson.CausesRequest.class);
    return desk.causes(caller, filter(given.filter()), given.limit());
  }

  @GetMapping(path = MESSAGES + "/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
  ConsoleJson.Places find(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("db") String db,
      @PathVariable("id") String id) {
    permit(caller, db, false);
    return desk.find(caller, new MessageId(ConsoleJson.uuid("id", id)));
  }

  @PostMapping(
      path = MESSAGES + "/acts",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ConsoleJson.ActResult act(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("db") String db,
      HttpServletRequest request)
      throws IOException {
    permit(caller, db, true);
    requireOwnPage(request);
    ConsoleJson.Act act = read(request, ConsoleJson.Act.class);
    requireRequeue("act", act.act());
    Set<MessageId> ids = ConsoleJson.ids(act.ids(), DeadLetters.PAGE_MAX);
    return desk.requeue(caller, ids, decision(caller, act.reason()));
  }

  @PostMapping(
      path = OPERATIONS + "/preview",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ConsoleJson.Preview preview(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("db") String db,
      HttpServletRequest request)
      throws IOException {
    permit(caller, db, true);
    ConsoleJson.PreviewRequest preview = read(request, ConsoleJson.PreviewRequest.class);
    requireRequeue("kind", preview.kind());
    return desk.preview(caller, filter(preview.filter()));
  }

  @PutMapping(
      path = OPERATIONS + "/{id}",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  ConsoleJson.Operation operation(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @PathVariable("db") String db,
      @PathVariable("id") String id,
      HttpServletRequest request)
      throws IOException {
    permit(caller, db, true);
    requireOwnPage(request);
    UUID operation = ConsoleJson.uuid("id", id);
    ConsoleJson.OperationRequest given = read(request, ConsoleJson.OperationRequest.class);
    requireRequeue("kind", given.kind());
    return desk.requeueAll(
        caller,
        operation,
        filter(given.filter()),
        ConsoleToken.of(given.token()),
        decision(caller, given.reason()));
  }

  private static void permit(Caller caller, String db, boolean acts) {
    caller.count(1);
    caller.requireDeadLetters(acts);
    if (!DATABASE.equals(db)) {
      throw new ProblemException(
          404, Refusal.UNKNOWN.name(), "no database of this name (expected: " + DATABASE + ")");
    }
  }

  /** A page from elsewhere cannot send this header unless it is allowed to. */
  private static void requireOwnPage(HttpServletRequest request) {
    if (!"1".equals(request.getHeader(ACTING))) {
      throw new ProblemException(
          403, HalfProblem.NOT_PERMITTED, "acts need the header '" + ACTING + ": 1'");
    }
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw new ProblemException(
          403, HalfProblem.NOT_PERMITTED, "acts are for pages of this server");
    }
  }

  private <T> T read(HttpServletRequest request, Class<T> type) throws IOException {
    return bodies.with(request, BYTES_MAX, body -> json.read(body, type));
  }

  private static ConsoleJson.Filter filter(ConsoleJson.@Nullable Search search) {
    if (search == null) {
      throw ConsoleJson.invalid("filter: none (expected: one, {} for all)");
    }
    if (search.limit() != null || search.cursor() != null || search.order() != null) {
      throw ConsoleJson.invalid("filter: limit, cursor or order (expected: none of them)");
    }
    return ConsoleJson.filter(search);
  }

  private static void requireRequeue(String name, @Nullable String value) {
    if (!"requeue".equals(value)) {
      throw ConsoleJson.invalid(name + ": " + value + " (expected: requeue)");
    }
  }

  private static Decision decision(Caller caller, @Nullable String reason) {
    try {
      return new Decision(caller.name(), reason == null ? "" : reason);
    } catch (IllegalArgumentException e) {
      throw ConsoleJson.invalid(String.valueOf(e.getMessage()));
    }
  }
}
