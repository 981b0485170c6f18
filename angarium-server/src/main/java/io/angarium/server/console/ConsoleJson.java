package io.angarium.server.console;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.desk.CauseGroup;
import io.angarium.desk.CausePage;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.ProblemException;
import io.angarium.spring.operate.DeadLetterItem;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of the operator API, see console.md of the design: a field that is not known is a fault,
 * so that a misspelt filter does not mean everything. Thread-safe.
 */
final class ConsoleJson {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleJson.class);

  private final JsonMapper json =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** What a message is about, as a filter. Immutable. */
  record Business(@Nullable String type, @Nullable String key) {}

  /** Which messages are meant. Immutable. */
  record Search(
      @Nullable String stage,
      @Nullable List<String> destinations,
      @Nullable String key,
      @Nullable String type,
      @Nullable Business business,
      @Nullable String reasonHas,
      @Nullable String cause,
      @Nullable String from,
      @Nullable String to,
      @Nullable Boolean blocksKey,
      @Nullable String order,
      @Nullable Integer limit,
      @Nullable String cursor) {}

  /**
   * Which dead letters are meant, by everything that a filter can say. Immutable.
   *
   * @param cause fingerprint; null for every cause
   */
  record Filter(DeadLetterFilter parts, @Nullable String cause)
      implements Predicate<DeadLetterRow> {
    @Override
    public boolean test(DeadLetterRow row) {
      return parts.test(row) && CausePage.ofCause(cause).test(row);
    }
  }

  /** Which dead letters to group, and how many groups to show. Immutable. */
  record CausesRequest(@Nullable Search filter, @Nullable Integer limit) {}

  /** Dead letters of one cause and destination. Immutable. */
  record CauseItem(
      String fingerprint,
      String text,
      String destination,
      int count,
      int blocking,
      String first,
      String latest,
      String sample) {
    static CauseItem of(CauseGroup group) {
      return new CauseItem(
          group.cause().fingerprint(),
          group.cause().text(),
          group.destination(),
          group.count(),
          group.blocking(),
          group.first().toString(),
          group.latest().toString(),
          group.sample().value().toString());
    }
  }

  /** Groups of dead letters; {@code of} says how many were counted. Immutable. */
  record Causes(List<CauseItem> groups, Count of, int others, Looked looked, String now) {}

  /** An act on messages. Immutable. */
  record Act(@Nullable String act, @Nullable List<String> ids, @Nullable String reason) {}

  /** An operation before it begins. Immutable. */
  record PreviewRequest(@Nullable String kind, @Nullable Search filter) {}

  /** An operation. Immutable. */
  record OperationRequest(
      @Nullable String kind,
      @Nullable Search filter,
      @Nullable String token,
      @Nullable String reason) {}

  /** How far a search came. Immutable. */
  record Looked(int rows, @Nullable String until, boolean complete) {}

  /** A page. Immutable. */
  record Page(List<DeadLetterItem> items, @Nullable String next, Looked looked, String now) {}

  /** Where a message is. Immutable. */
  record Places(String id, List<DeadLetterItem> places) {}

  /** What became of the messages of an act. Immutable. */
  record ActResult(List<String> done, List<String> notFound, Map<String, String> refused) {}

  /** A bounded count. Immutable. */
  record Count(int count, boolean atLeast) {}

  /** What an operation would do. Immutable. */
  record Preview(
      String token,
      String untilAt,
      Count matched,
      Map<String, Integer> byDestination,
      List<DeadLetterItem> sample,
      List<String> warnings,
      boolean needsSecondPerson) {}

  /** What an operation did. Immutable. */
  record Operation(
      String id,
      String kind,
      String state,
      String untilAt,
      String createdBy,
      String reason,
      long looked,
      int done,
      int notFound,
      @Nullable String token,
      @Nullable String note) {}

  /**
   * Reads the body of a request.
   *
   * @throws ProblemException if it is no such JSON
   */
  <T> T read(byte[] body, Class<T> type) {
    T read;
    try {
      read = json.readValue(body, type);
    } catch (UnrecognizedPropertyException e) {
      throw invalid("body: unknown field '" + e.getPropertyName() + "'");
    } catch (DatabindException e) {
      throw invalid("body: a field of another type" + place(e));
    } catch (JacksonException e) {
      LOG.debug("A request cannot be read", e);
      throw invalid("body: no JSON that can be read (expected: an object)");
    }
    if (read == null) {
      throw invalid("body: null (expected: an object)");
    }
    return read;
  }

  private static String place(DatabindException e) {
    List<JacksonException.Reference> path = e.getPath();
    String name = path.isEmpty() ? null : path.get(path.size() - 1).getPropertyName();
    return name == null ? "" : ", '" + name + "'";
  }

  /** Which dead letters a search is for. */
  static Filter filter(Search search) {
    if (!"dead".equals(search.stage()) && search.stage() != null) {
      throw invalid("stage: " + search.stage() + " (expected: dead)");
    }
    Business business = search.business();
    List<String> destinations = search.destinations();
    try {
      DeadLetterFilter parts =
          new DeadLetterFilter(
              destinations == null ? List.of() : destinations,
              search.key(),
              search.type(),
              business == null ? null : business.type(),
              business == null ? null : business.key(),
              search.reasonHas(),
              instant("from", search.from()),
              instant("to", search.to()),
              search.blocksKey());
      return new Filter(parts, fingerprint(search.cause()));
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    } catch (NullPointerException e) { // List.copyOf
      throw invalid("destinations: null among them (expected: texts)");
    }
  }

  private static @Nullable String fingerprint(@Nullable String cause) {
    if (cause != null && !cause.matches("[0-9a-f]{16}")) {
      throw invalid("cause: '" + cause + "' (expected: the fingerprint of a cause)");
    }
    return cause;
  }

  /** In which order. */
  static DeadLetterQuery.Order order(Search search) {
    return switch (String.valueOf(search.order())) {
      case "null", "newest" -> DeadLetterQuery.Order.NEWEST;
      case "oldest" -> DeadLetterQuery.Order.OLDEST;
      default -> throw invalid("order: " + search.order() + " (expected: newest or oldest)");
    };
  }

  private static @Nullable Instant instant(String name, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw invalid(name + ": '" + text + "' (expected: like 2026-11-26T12:03:04.123Z)");
    }
  }

  /** Ids of messages, each once. */
  static Set<MessageId> ids(@Nullable List<String> texts, int max) {
    int size = texts == null ? 0 : texts.size();
    if (texts == null || size == 0 || size > max) {
      throw invalid("ids: " + size + " (expected: 1.." + max + ")");
    }
    Set<MessageId> ids = new LinkedHashSet<>();
    texts.forEach(text -> ids.add(new MessageId(uuid("ids", text))));
    return ids;
  }

  /** A UUID in its usual form. */
  static UUID uuid(String name, @Nullable String text) {
    String given = String.valueOf(text);
    try {
      UUID id = UUID.fromString(given);
      if (id.toString().equalsIgnoreCase(given)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      throw invalid(name + ": no UUID (expected: like 01a217cf-8c75-71ff-a812-818f3ab7c4af)");
    }
    throw invalid(name + ": no whole UUID (expected: 36 characters)");
  }

  /** The answer to a request that is wrong. */
  static ProblemException invalid(String detail) {
    return new ProblemException(400, HalfProblem.INVALID, detail);
  }
}
