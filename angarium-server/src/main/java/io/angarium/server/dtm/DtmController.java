package io.angarium.server.dtm;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfState;
import io.angarium.half.Refusal;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.Caller;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.settings.OnSwitch;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The calls of dtm for messages: 200 and {@code SUCCESS}, 409 and {@code FAILURE} for what is
 * decided otherwise, 422 and {@code FAILURE} for what cannot be carried. Who may not, and a
 * database that is away, are problems as everywhere.
 */
@RestController
@OnSwitch("dtm.enabled")
@RequestMapping(path = DtmController.PATH, produces = MediaType.APPLICATION_JSON_VALUE)
public final class DtmController {
  /** Where dtm's server has them. */
  public static final String PATH = "/api/dtmsvr";

  private static final String RESULT = "dtm_result";

  private final DtmDesk desk;
  private final RequestBodies bodies;
  private final Supplier<String> gids;

  /**
   * @param gids gives ids that nobody else has
   */
  DtmController(DtmDesk desk, RequestBodies bodies, DtmGids gids) {
    this.desk = desk;
    this.bodies = bodies;
    this.gids = gids;
  }

  @GetMapping("/newGid")
  Map<String, Object> newGid(@RequestAttribute(AccessFilter.CALLER) Caller caller) {
    caller.count(1);
    return answer("SUCCESS", "gid", gids.get());
  }

  @PostMapping("/prepare")
  ResponseEntity<Map<String, Object>> prepare(
      @RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    DtmMessage message = read(caller, request, DtmReading::read);
    HalfAnswer answer = desk.prepare(caller, message);
    return answer.state() == HalfState.PREPARED
        ? ResponseEntity.ok(success())
        : conflict("prepare", message.gid(), answer.state());
  }

  @PostMapping("/submit")
  ResponseEntity<Map<String, Object>> submit(
      @RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    DtmMessage message = read(caller, request, DtmReading::read);
    return answered("submit", message.gid(), desk.submit(caller, message));
  }

  @PostMapping("/abort")
  ResponseEntity<Map<String, Object>> abort(
      @RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    String gid = read(caller, request, DtmReading::readGid);
    return answered("abort", gid, desk.abort(caller, gid));
  }

  /** A request is one call of its caller, whether or not it can be read. */
  private <T> T read(Caller caller, HttpServletRequest request, Function<byte[], T> form)
      throws IOException {
    caller.count(1);
    return bodies.withTree(request, form::apply);
  }

  /** Returns the state of a message; the transaction is null for an unknown one, as in dtm. */
  @GetMapping("/query")
  Map<String, Object> query(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @RequestParam(name = "gid", defaultValue = "") String gid) {
    caller.count(1);
    HalfState state = desk.state(caller, DtmReading.gid(gid));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put(
        "transaction",
        state == HalfState.UNKNOWN
            ? null
            : Map.of("gid", gid, "trans_type", "msg", "status", status(state)));
    answer.put("branches", List.of());
    return answer;
  }

  private static ResponseEntity<Map<String, Object>> answered(
      String call, String gid, HalfAnswer answer) {
    Refusal refusal = answer.refusal();
    return refusal == null ? ResponseEntity.ok(success()) : conflict(call, gid, answer.state());
  }

  private static ResponseEntity<Map<String, Object>> conflict(
      String call, String gid, HalfState state) {
    String message =
        state == HalfState.UNKNOWN
            ? "gid %s: not known, cannot %s".formatted(gid, call)
            : "gid %s: current status '%s', cannot %s".formatted(gid, status(state), call);
    return ResponseEntity.status(409).body(answer("FAILURE", "message", message));
  }

  /** In dtm's words; what is committed is never more than submitted here. */
  private static String status(HalfState state) {
    return switch (state) {
      case COMMITTED, COMMIT_REMEMBERED -> "submitted";
      case ROLLED_BACK, ROLLBACK_REMEMBERED -> "failed";
      case PREPARED, UNRESOLVED, UNKNOWN -> "prepared";
    };
  }

  @ExceptionHandler
  ResponseEntity<Map<String, Object>> invalid(InvalidMessageException e) {
    return ResponseEntity.unprocessableContent()
        .contentType(MediaType.APPLICATION_JSON)
        .body(answer("FAILURE", "message", String.valueOf(e.getMessage())));
  }

  private static Map<String, Object> success() {
    return Map.of(RESULT, "SUCCESS");
  }

  private static Map<String, Object> answer(String result, String name, String value) {
    return Map.of(RESULT, result, name, value);
  }
}
