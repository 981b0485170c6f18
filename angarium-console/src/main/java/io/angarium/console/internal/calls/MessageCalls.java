package io.angarium.console.internal.calls;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.MessageId;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.calls.MessageJson.Row;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.payload.Masking;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.KeyView;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.SearchDepth;
import io.angarium.desk.Stage;
import io.angarium.internal.ShownAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Search, one message, one key, and acts on messages. Thread-safe. */
public final class MessageCalls {
  private static final int LIMIT_DEFAULT = 50;
  private static final int ACTS_SHOWN_MAX = 100;
  private static final String TRACE_PARENT = "traceparent";

  private final Permits permits;
  private final Masking masking;

  public MessageCalls(Permits permits, Masking masking) {
    this.permits = permits;
    this.masking = masking;
  }

  /** What a person may do with messages by their ids. */
  enum Act {
    REQUEUE,
    DISCARD,
    RESTORE,
    CANCEL,
    SEND_NOW,
    BURY,
    SEND_AGAIN
  }

  /** An act on messages. Immutable. */
  record ActRequest(@Nullable String act, @Nullable List<String> ids, @Nullable String reason) {}

  /** What became of them. Immutable. */
  record Acted(List<String> done, List<String> notFound, Map<String, String> refused) {}

  /** A key. Immutable. */
  record KeyRequest(@Nullable String destination, @Nullable String key) {}

  /** What a key waits for. Immutable. */
  record Key(
      String destination,
      String key,
      int partition,
      @Nullable String node,
      List<Row> rows,
      boolean complete,
      @Nullable Row lastSent,
      Instant now) {}

  /** A header; the value of a masked one is not told. Immutable. */
  record Header(String name, String value, boolean masked) {}

  /** A message in one stage. Immutable. */
  record Place(Row row, List<Header> headers, @Nullable String traceId) {}

  /** A message wherever it is. Immutable. */
  record Found(
      String id,
      List<Place> places,
      boolean complete,
      Instant now,
      List<Moments.Moment> timeline) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.ask(
            "{db}/messages/search",
            Right.VIEW,
            "Searches one stage; never gives payloads. Says how far it looked; next continues",
            SearchRequest.class,
            MessageJson.Page.class,
            this::search),
        ApiRoute.act(
            "POST",
            "{db}/messages/acts",
            Right.OPERATE,
            "Requeues, discards, restores, cancels or sends messages, now or again; a repeat changes"
                + " nothing",
            ActRequest.class,
            Acted.class,
            this::act),
        ApiRoute.get(
            "{db}/messages/{id}",
            Right.VIEW,
            "Finds a message in every stage, with headers and what happened to it",
            Found.class,
            List.of("depth"),
            this::find),
        ApiRoute.ask(
            "{db}/keys/view",
            Right.VIEW,
            "Gives the messages of a key in the order in which they are sent",
            KeyRequest.class,
            Key.class,
            this::key));
  }

  private Answer search(Call call) {
    SearchRequest given = call.body(SearchRequest.class);
    Stage stage =
        given.stage() == null ? Stage.DEAD : Call.choice("stage", Stage.class, given.stage());
    MessagePage page;
    try {
      MessageQuery query =
          MessageQuery.newest(
                  stage, given.filter(), given.limit() == null ? LIMIT_DEFAULT : given.limit())
              .order(
                  given.order() == null
                      ? MessageQuery.Order.NEWEST
                      : Call.choice("order", MessageQuery.Order.class, given.order()))
              .cursor(given.cursor())
              .permitted(visible(call.operator()));
      page = permits.ask(() -> call.database().desk().messages().search(query));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
    return Answer.of(
        new MessageJson.Page(
            page.rows().stream().map(Row::listed).toList(),
            page.next(),
            page.scanned(),
            page.now()));
  }

  static Predicate<MessageRow> visible(Operator operator) {
    return operator.mayAll(Right.VIEW) ? row -> true : row -> operator.may(Right.VIEW, row);
  }

  /** Answers 404 for what the operator may not see, as if it did not exist. */
  FoundMessage found(Call call, SearchDepth depth) {
    MessageId id = new MessageId(call.uuid("id"));
    FoundMessage found = permits.ask(() -> call.database().desk().messages().find(id, depth));
    List<MessageDetails> places =
        found.places().stream()
            .filter(each -> call.operator().may(Right.VIEW, each.row()))
            .toList();
    if (places.isEmpty()) {
      throw Problem.unknown(
          "no message has the id "
              + id.value()
              + (found.complete() ? "" : " where it was looked for; try depth=all"));
    }
    return new FoundMessage(id, places, found.complete(), found.now());
  }

  private Answer find(Call call) {
    FoundMessage found = found(call, call.choice("depth", SearchDepth.class, SearchDepth.LIKELY));
    String id = found.id().value().toString();
    var acts =
        permits.ask(
            () -> call.database().desk().audit().page(AuditQuery.ofMessage(id, ACTS_SHOWN_MAX)));
    return Answer.of(
        new Found(
            id,
            found.places().stream().map(this::place).toList(),
            found.complete(),
            found.now(),
            Moments.of(found, acts)));
  }

  private Place place(MessageDetails details) {
    List<Header> headers = new ArrayList<>();
    String[] trace = new String[1];
    details
        .headers()
        .asMap()
        .forEach(
            (name, value) -> {
              boolean masked = masking.isMasked(name);
              headers.add(new Header(name, masked ? Masking.MASK : value, masked));
              if (name.equalsIgnoreCase(TRACE_PARENT)) {
                trace[0] = traceId(value);
              }
            });
    return new Place(Row.whole(details.row()), headers, trace[0]);
  }

  private static @Nullable String traceId(String parent) {
    String[] parts = parent.split("-", -1);
    return parts.length == 4 && parts[1].matches("[0-9a-f]{32}") ? parts[1] : null;
  }

  private Answer key(Call call) {
    KeyRequest given = call.body(KeyRequest.class);
    if (given.key() == null || given.destination() == null) {
      throw Problem.invalid("destination or key: none (expected: both)");
    }
    String key = given.key();
    Destination destination = destination(given.destination());
    if (!call.operator().mayDestination(Right.VIEW, destination.toString())) {
      throw Problem.unknown("no destination '" + given.destination() + "'");
    }
    KeyView view = permits.ask(() -> call.database().desk().messages().key(destination, key));
    var visible = visible(call.operator());
    MessageRow last = view.lastSent();
    return Answer.of(
        new Key(
            ShownAddress.of(view.destination().toString()),
            view.key(),
            view.partition(),
            view.node(),
            view.rows().stream().filter(visible).map(Row::listed).toList(),
            view.complete(),
            last == null || !visible.test(last) ? null : Row.listed(last),
            view.now()));
  }

  static Destination destination(String text) {
    try {
      return Destination.parse(text);
    } catch (InvalidMessageException e) {
      throw Problem.invalid("destination: " + e.getMessage());
    }
  }

  private Answer act(Call call) {
    ActRequest given = call.body(ActRequest.class);
    Act act = Call.choice("act", Act.class, given.act());
    Set<MessageId> ids = SearchRequest.ids(given.ids(), 1, MessageActs.IDS_MAX);
    ActBy by = call.actBy(given.reason(), null);
    Set<MessageId> mine = permitted(call, act, ids);
    ActResult result =
        mine.isEmpty()
            ? new ActResult(List.of(), List.of(), Map.of())
            : permits.ask(() -> acted(call, act, mine, by));
    return Answer.of(acted(ids, result));
  }

  /** Says what became of messages; those that are in no part of the result were not found. */
  static Acted acted(Set<MessageId> ids, ActResult result) {
    List<MessageId> notFound = new ArrayList<>(ids);
    notFound.removeAll(result.done());
    notFound.removeAll(result.refused().keySet());
    Map<String, String> refused = new LinkedHashMap<>();
    result.refused().forEach((id, why) -> refused.put(id.value().toString(), why));
    return new Acted(texts(result.done()), texts(notFound), refused);
  }

  /** Keeps what the operator may change; for the others it is as if they were not there. */
  private Set<MessageId> permitted(Call call, Act act, Set<MessageId> ids) {
    Operator operator = call.operator();
    if (operator.mayAll(Right.OPERATE)) {
      return ids;
    }
    return fitting(call, stages(act), ids, row -> operator.may(Right.OPERATE, row));
  }

  /** Keeps the messages of some stages that fit. */
  Set<MessageId> fitting(
      Call call, Set<Stage> stages, Set<MessageId> ids, Predicate<MessageRow> fits) {
    Set<MessageId> mine = new LinkedHashSet<>();
    List<MessageId> all = List.copyOf(ids);
    for (Stage stage : stages) {
      for (int from = 0; from < all.size(); from += MessageFilter.IDS_MAX) {
        int end = Math.min(all.size(), from + MessageFilter.IDS_MAX);
        MessageQuery query =
            MessageQuery.newest(
                    stage,
                    MessageFilter.ofIds(Set.copyOf(all.subList(from, end))),
                    MessageFilter.IDS_MAX)
                .permitted(fits);
        permits
            .ask(() -> call.database().desk().messages().search(query))
            .rows()
            .forEach(row -> mine.add(row.id()));
      }
    }
    return mine;
  }

  private static Set<Stage> stages(Act act) {
    return switch (act) {
      case REQUEUE, DISCARD -> EnumSet.of(Stage.DEAD);
      case RESTORE -> EnumSet.of(Stage.DISCARDED);
      case CANCEL -> EnumSet.of(Stage.DELAYED);
      case SEND_NOW -> EnumSet.of(Stage.DELAYED, Stage.RETRYING);
      case BURY -> EnumSet.of(Stage.WAITING, Stage.RETRYING, Stage.HELD);
      case SEND_AGAIN -> EnumSet.of(Stage.UNCONFIRMED);
    };
  }

  private static ActResult acted(Call call, Act act, Set<MessageId> ids, ActBy by) {
    MessageActs acts = call.database().desk().acts();
    return switch (act) {
      case REQUEUE -> acts.requeue(ids, by);
      case DISCARD -> acts.discard(ids, by);
      case RESTORE -> acts.restore(ids, by);
      case CANCEL -> acts.cancel(ids, by);
      case SEND_NOW -> acts.sendNow(ids, by);
      case BURY -> acts.bury(ids, by);
      case SEND_AGAIN -> ConfirmationCalls.desk(call).sendAgain(ids, by);
    };
  }

  private static List<String> texts(List<MessageId> ids) {
    return ids.stream().map(id -> id.value().toString()).toList();
  }
}
