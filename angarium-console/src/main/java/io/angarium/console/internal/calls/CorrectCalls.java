package io.angarium.console.internal.calls;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.calls.MessageCalls.Acted;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.desk.MessageRow;
import io.angarium.desk.NodeView;
import io.angarium.desk.Stage;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Dead letters that are sent again with parts changed. Thread-safe. */
public final class CorrectCalls {
  /** The largest body: a payload of 1 000 000 bytes in Base64, and what stands around it. */
  public static final int BODY_BYTES_MAX = 1_500_000;

  /** How the path of a call ends that may have such a body. */
  public static final String PATH_END = "/correct";

  /** The most letters that are redirected at once. */
  private static final int REDIRECTS_MAX = 200;

  private static final Destination ANYWHERE = Destination.parse("unchanged");

  private final Permits permits;
  private final MessageCalls messages;
  private final boolean partsAllowed;

  /**
   * Creates the calls.
   *
   * @param partsAllowed whether payload, headers and key may be changed, not only the destination
   */
  public CorrectCalls(Permits permits, MessageCalls messages, boolean partsAllowed) {
    this.permits = permits;
    this.messages = messages;
    this.partsAllowed = partsAllowed;
  }

  /** A header. Immutable. */
  record HeaderRequest(@Nullable String name, @Nullable String value) {}

  /**
   * What changes; a part that is missing stays. Immutable.
   *
   * @param text the payload as text; or base64
   * @param headers all of them
   */
  record CorrectRequest(
      @Nullable String destination,
      @Nullable String text,
      @Nullable String base64,
      @Nullable List<HeaderRequest> headers,
      @Nullable String key,
      @Nullable String reason) {}

  /** Where messages go instead. Immutable. */
  record RedirectRequest(
      @Nullable List<String> ids, @Nullable String destination, @Nullable String reason) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.act(
            "POST",
            "{db}/messages/redirect",
            Right.ADMIN,
            "Sends dead letters again to another destination, at most " + REDIRECTS_MAX,
            RedirectRequest.class,
            Acted.class,
            this::redirect),
        ApiRoute.act(
            "POST",
            "{db}/messages/{id}" + PATH_END,
            Right.ADMIN,
            "Sends a dead letter again with another destination, payload, headers or key",
            CorrectRequest.class,
            Acted.class,
            this::correct));
  }

  private Answer redirect(Call call) {
    RedirectRequest given = call.body(RedirectRequest.class);
    Set<MessageId> ids = SearchRequest.ids(given.ids(), 1, REDIRECTS_MAX);
    if (given.destination() == null) {
      throw Problem.invalid("destination: none (expected: one like kafka:orders)");
    }
    Correction change = Correction.redirect(MessageCalls.destination(given.destination()));
    return Answer.of(corrected(call, ids, change, call.actBy(given.reason(), null)));
  }

  private Answer correct(Call call) {
    MessageId id = new MessageId(call.uuid("id"));
    CorrectRequest given = call.body(CorrectRequest.class, BODY_BYTES_MAX);
    Correction change = change(given);
    if (!partsAllowed
        && (change.payload() != null || change.headers() != null || change.key() != null)) {
      throw Problem.notPermitted(
          "payload, headers and key of messages may not be changed here (expected:"
              + " angarium.console.correct=true, or a destination alone)");
    }
    Acted acted = corrected(call, Set.of(id), change, call.actBy(given.reason(), null));
    if (acted.done().isEmpty()) {
      throw Problem.unknown("no dead letter has the id " + id.value());
    }
    return Answer.of(acted);
  }

  private static Correction change(CorrectRequest given) {
    try {
      return new Correction(
          given.destination() == null ? null : MessageCalls.destination(given.destination()),
          payload(given),
          headers(given.headers()),
          given.key());
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(
          "destination, text, base64, headers and key: none (expected: at least one)");
    } catch (InvalidMessageException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  private static byte @Nullable [] payload(CorrectRequest given) {
    String text = given.text();
    String base64 = given.base64();
    if (text != null && base64 != null) {
      throw Problem.invalid("text and base64: both (expected: one of them)");
    }
    if (text != null) {
      return Message.of(ANYWHERE, text).payload();
    }
    if (base64 == null) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw Problem.invalid("base64: no Base64 (expected: bytes in Base64)");
    }
  }

  private static @Nullable Headers headers(@Nullable List<HeaderRequest> given) {
    if (given == null) {
      return null;
    }
    Map<String, String> all = new LinkedHashMap<>();
    for (HeaderRequest header : given) {
      if (header.name() == null || header.value() == null) {
        throw Problem.invalid("headers: one without a name or value (expected: both)");
      }
      if (all.put(header.name(), header.value()) != null) {
        throw Problem.invalid("headers: two of one name (expected: each name once)");
      }
    }
    return Headers.of(all);
  }

  private Acted corrected(Call call, Set<MessageId> ids, Correction change, ActBy by) {
    Destination destination = change.destination();
    if (destination != null) {
      requireMine(call, destination);
      requireTransport(call, destination);
    }
    Predicate<MessageRow> mine = changeable(call.operator(), destination);
    Set<MessageId> permitted =
        call.operator().mayAll(Right.ADMIN)
            ? ids
            : messages.fitting(call, EnumSet.of(Stage.DEAD), ids, mine);
    try {
      return MessageCalls.acted(
          ids,
          permitted.isEmpty()
              ? new ActResult(List.of(), List.of(), Map.of())
              : permits.ask(() -> call.database().desk().acts().correct(permitted, change, by)));
    } catch (InvalidMessageException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  /** True for what is the operator's before and after. */
  private static Predicate<MessageRow> changeable(
      Operator operator, @Nullable Destination destination) {
    return row ->
        operator.may(Right.ADMIN, row)
            && (destination == null
                || operator.may(Right.ADMIN, destination.toString(), row.businessType()));
  }

  private static void requireMine(Call call, Destination destination) {
    if (!call.operator().mayDestination(Right.ADMIN, destination.toString())) {
      throw Problem.notPermitted(
          "destination: '%s' is not within your grants (expected: one that is)"
              .formatted(destination));
    }
  }

  /** A misspelt transport would bring the message back where it comes from. */
  private void requireTransport(Call call, Destination destination) {
    List<NodeView> live =
        permits.ask(() -> call.database().desk().messages().members()).nodes().stream()
            .filter(node -> !node.leaseLeft().isNegative())
            .toList();
    boolean oneMayHaveIt = live.stream().anyMatch(node -> node.transports().isEmpty());
    Set<String> known = new TreeSet<>();
    live.forEach(node -> known.addAll(node.transports()));
    if (live.isEmpty()
        || oneMayHaveIt
        || destination.transport().isEmpty()
        || known.contains(destination.transport())) {
      return;
    }
    throw Problem.invalid(
        "destination: no live node has the transport '%s' (expected: one of %s)"
            .formatted(destination.transport(), String.join(", ", known)));
  }
}
