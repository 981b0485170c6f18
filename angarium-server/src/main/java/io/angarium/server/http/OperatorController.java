package io.angarium.server.http;

import io.angarium.InvalidMessageException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.half.decide.HalfDetails;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.decide.OperatorDecision;
import io.angarium.http.half.HalfWireFormat;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.Caller;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.http.HalfMessageController.Answer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What a person sees and decides over HTTP. */
@RestController
final class OperatorController {
  private static final String UNRESOLVED = "/v1/unresolved";
  private static final String ONE = HalfWireFormat.PATH + "/{business}/{key}";

  private static final String UNDECIDED = "/v1/undecided";

  private static final Logger LOG = LoggerFactory.getLogger(OperatorController.class);

  private static final int DECISION_BYTES_MAX = 16 << 10;

  private final HalfMessageDesk desk;
  private final RequestBodies bodies;
  private final JsonMapper json;

  OperatorController(HalfMessageDesk desk, RequestBodies bodies, JsonMapper json) {
    this.desk = desk;
    this.bodies = bodies;
    this.json =
        json.rebuild()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
  }

  /**
   * A page of those that wait for a person, or are undecided for long. Immutable.
   *
   * @param messages of businesses that the caller may operate
   * @param last what the next page comes after; null if this is the last
   */
  record Page(List<HalfDetails> messages, @Nullable Long last) {}

  /** One, and what was done to it. Immutable. */
  record Details(HalfDetails message, List<OperatorDecision> acts) {}

  /**
   * What a person decides. Immutable.
   *
   * @param step resume, commit or rollback
   * @param by who it is, of those that share the API key; null for its name
   * @param reason why
   */
  record Decision(@Nullable String step, @Nullable String by, @Nullable String reason) {}

  @GetMapping(path = UNRESOLVED, produces = MediaType.APPLICATION_JSON_VALUE)
  Page unresolved(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @RequestParam(name = "after", defaultValue = "0") long after,
      @RequestParam(name = "limit", defaultValue = "100") int limit) {
    permit(caller);
    requirePage(Duration.ZERO, limit);
    return page(caller, desk.unresolved(after, limit), limit);
  }

  @GetMapping(path = UNDECIDED, produces = MediaType.APPLICATION_JSON_VALUE)
  Page undecided(
      @RequestAttribute(AccessFilter.CALLER) Caller caller,
      @RequestParam(name = "older-than", defaultValue = "PT10M") String olderThan,
      @RequestParam(name = "after", defaultValue = "0") long after,
      @RequestParam(name = "limit", defaultValue = "100") int limit) {
    permit(caller);
    Duration age = duration(olderThan);
    requirePage(age, limit);
    return page(caller, desk.undecided(age, after, limit), limit);
  }

  private static Duration duration(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new InvalidMessageException(
          "older-than: no span of time (expected: one like PT10M or P1D)");
    }
  }

  private static void permit(Caller caller) {
    caller.count(1);
    caller.requireOperator();
  }

  private static void requirePage(Duration olderThan, int limit) {
    try {
      HalfMessageDesk.requirePage(olderThan, limit);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
  }

  private static Page page(Caller caller, List<HalfDetails> all, int limit) {
    Long last = all.size() < limit ? null : all.get(all.size() - 1).number();
    return new Page(all.stream().filter(each -> caller.mayOperate(each.key())).toList(), last);
  }

  @GetMapping(path = ONE + "/details", produces = MediaType.APPLICATION_JSON_VALUE)
  Details details(
      @RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request) {
    HalfKey key = permitted(caller, request);
    return desk.find(key)
        .map(found -> new Details(found, desk.acts(key)))
        .orElseThrow(() -> new RefusedStepException(key, Refusal.UNKNOWN));
  }

  @PostMapping(
      path = ONE + "/decision",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  Answer decide(@RequestAttribute(AccessFilter.CALLER) Caller caller, HttpServletRequest request)
      throws IOException {
    HalfKey key = permitted(caller, request);
    Decision decision = bodies.with(request, DECISION_BYTES_MAX, this::decision);
    String by = decision.by() == null ? caller.name() : caller.name() + ": " + decision.by();
    String reason = decision.reason() == null ? "" : decision.reason();
    HalfStep step = step(decision.step());
    try {
      HalfMessageDesk.require(step, by, reason);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(String.valueOf(e.getMessage()));
    }
    HalfState state = desk.act(key, step, by, reason);
    return Answer.of(key, state);
  }

  private Decision decision(byte[] body) {
    try {
      Decision given = json.readValue(body, Decision.class);
      if (given != null) {
        return given;
      }
    } catch (JacksonException e) {
      LOG.debug("A decision cannot be read", e);
    }
    throw new InvalidMessageException(
        "body: no decision (expected: {\"step\":\"commit\",\"reason\":\"...\"})");
  }

  private static HalfKey permitted(Caller caller, HttpServletRequest request) {
    HalfKey key = HalfWireFormat.key(request.getRequestURI());
    caller.count(1);
    caller
        .faultOfOperator(key)
        .ifPresent(
            fault -> {
              throw fault.exception();
            });
    return key;
  }

  private static HalfStep step(@Nullable String text) {
    return switch (String.valueOf(text).toLowerCase(Locale.ROOT)) {
      case "resume" -> HalfStep.RESUME;
      case "commit" -> HalfStep.COMMIT;
      case "rollback" -> HalfStep.ROLLBACK;
      default ->
          throw new InvalidMessageException(
              "step: another one (expected: resume, commit or rollback)");
    };
  }
}
