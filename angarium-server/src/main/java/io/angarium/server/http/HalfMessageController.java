package io.angarium.server.http;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.half.HalfJson;
import io.angarium.http.half.HalfWireFormat;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.Caller;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.calls.MessageDesk;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.UriComponentsBuilder;

/** Calls for half messages over HTTP, see {@link HalfWireFormat} and {@link HalfJson}. */
@RestController
final class HalfMessageController {
  private static final String ONE = HalfWireFormat.PATH + "/{business}/{key}";
  private static final String WHEN_UNKNOWN = "when-unknown";

  private final MessageDesk desk;
  private final RequestBodies bodies;

  HalfMessageController(MessageDesk desk, RequestBodies bodies) {
    this.desk = desk;
    this.bodies = bodies;
  }

  /** What a single call is answered. Immutable. */
  record Answer(String business, String key, HalfState state) {
    static Answer of(HalfKey key, HalfState state) {
      return new Answer(key.business(), key.key(), state);
    }
  }

  @PutMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
  Answer prepare(@RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    caller.count(1); // before the body, as it is refused without it
    parameters(request, Set.of());
    HalfKey key = key(request);
    return bodies.with(
        request,
        payload -> {
          HalfMessage message = HalfWireFormat.message(key, headers(request), payload);
          return Answer.of(key, desk.call(caller, new HalfCall.Prepare(message)));
        });
  }

  @PostMapping(path = ONE + "/commit", produces = MediaType.APPLICATION_JSON_VALUE)
  Answer commit(@RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request) {
    caller.count(1);
    HalfWireFormat.requireNone(headers(request));
    HalfKey key = key(request);
    return Answer.of(key, desk.call(caller, new HalfCall.Commit(key, whenUnknown(request))));
  }

  @PostMapping(path = ONE + "/rollback", produces = MediaType.APPLICATION_JSON_VALUE)
  Answer rollback(
      @RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request) {
    caller.count(1);
    HalfWireFormat.requireNone(headers(request));
    HalfKey key = key(request);
    return Answer.of(key, desk.call(caller, new HalfCall.Rollback(key, whenUnknown(request))));
  }

  @GetMapping(path = ONE, produces = MediaType.APPLICATION_JSON_VALUE)
  Answer state(@RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request) {
    count(caller, request);
    HalfKey key = key(request);
    return Answer.of(key, desk.states(caller, List.of(key)).get(0));
  }

  @PostMapping(path = HalfJson.BATCH, produces = MediaType.APPLICATION_JSON_VALUE)
  byte[] batch(@RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    count(caller, request);
    return bodies.withList(
        request,
        body -> {
          List<HalfCall> calls = HalfJson.readCalls(body);
          caller.countMore(calls.size() - 1);
          return HalfJson.answers(desk.callAll(caller, calls));
        });
  }

  @PostMapping(path = HalfJson.STATES, produces = MediaType.APPLICATION_JSON_VALUE)
  byte[] states(@RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    count(caller, request);
    return bodies.withList(
        request,
        body -> {
          List<HalfKey> keys = HalfJson.readKeys(body);
          caller.countMore(keys.size() - 1);
          return HalfJson.states(desk.states(caller, keys));
        });
  }

  /** Read by ourselves: a variable of the mapping cannot tell bytes that are not UTF-8. */
  private static HalfKey key(HttpServletRequest request) {
    return HalfWireFormat.key(request.getRequestURI());
  }

  private static WhenUnknown whenUnknown(HttpServletRequest request) {
    List<String> given = parameters(request, Set.of(WHEN_UNKNOWN)).get(WHEN_UNKNOWN);
    if (given == null || given.equals(List.of("refuse"))) {
      return WhenUnknown.REFUSE;
    }
    if (given.equals(List.of("remember"))) {
      return WhenUnknown.REMEMBER;
    }
    throw new InvalidMessageException(
        WHEN_UNKNOWN
            + ": "
            + (given.size() == 1 ? "neither refuse nor remember" : "given more than once")
            + " (expected: one of refuse and remember)");
  }

  /**
   * Counts a call without headers of ours: what a call has no use for was meant to do something.
   */
  private static void count(Caller caller, HttpServletRequest request) {
    caller.count(1);
    parameters(request, Set.of());
    HalfWireFormat.requireNone(headers(request));
  }

  /**
   * Returns the query parameters of the address alone. The web server's own method would read a
   * form's whole body for parameters.
   */
  private static Map<String, List<String>> parameters(
      HttpServletRequest request, Set<String> known) {
    Map<String, List<String>> given =
        UriComponentsBuilder.newInstance().query(request.getQueryString()).build().getQueryParams();
    for (String name : given.keySet()) {
      if (!known.contains(name)) {
        throw new InvalidMessageException(
            "query parameter '%s': not known here (expected: %s)"
                .formatted(PrintableExcerpt.of(name), known.isEmpty() ? "none" : WHEN_UNKNOWN));
      }
    }
    return given;
  }

  private static Map<String, List<String>> headers(HttpServletRequest request) {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name, new ArrayList<>(Collections.list(request.getHeaders(name))));
    }
    return headers;
  }
}
