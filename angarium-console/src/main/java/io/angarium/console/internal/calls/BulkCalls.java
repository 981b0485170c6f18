package io.angarium.console.internal.calls;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.calls.MessageJson.Row;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.json.RecordJson;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.ActBy;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.BulkAct;
import io.angarium.desk.BulkAct.Kind;
import io.angarium.desk.CausePage;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Scanned;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.Stage;
import io.angarium.internal.ShownAddress;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Groups of dead letters, and acts on all messages that fit a filter. Thread-safe. */
public final class BulkCalls {
  private static final Logger LOG = LoggerFactory.getLogger(BulkCalls.class);
  private static final int GROUPS_DEFAULT = 50;
  private static final int SAMPLE = 5;

  /** Destinations that a preview counts by name. */
  private static final int DESTINATIONS_MAX = 100;

  private static final String OTHERS = "other";
  private static final int COUNT_ROWS_MAX = 60_000;

  private final Permits permits;

  public BulkCalls(Permits permits) {
    this.permits = permits;
  }

  /** Which dead letters to group, and how many groups to show. Immutable. */
  record CausesRequest(@Nullable SearchRequest filter, @Nullable Integer limit) {}

  /** An operation before it begins. Immutable. */
  record PreviewRequest(@Nullable String kind, @Nullable SearchRequest filter) {}

  /** Something to know before an operation begins. Immutable. */
  record Warning(String code, int count) {}

  /** What an operation would do. Immutable. */
  record Preview(
      String token,
      Instant untilAt,
      BoundedCount matched,
      Map<String, Integer> byDestination,
      List<Row> sample,
      List<Warning> warnings) {}

  /** An operation, or its continuation. Immutable. */
  record OperationRequest(
      @Nullable String kind,
      @Nullable SearchRequest filter,
      @Nullable String token,
      @Nullable String reason,
      @Nullable Integer limit) {}

  /** What an operation did. Immutable. */
  record Operation(
      String id,
      String kind,
      String state,
      Instant untilAt,
      String createdBy,
      String reason,
      long scanned,
      int done,
      int notFound,
      int refused,
      @Nullable String token,
      @Nullable String note) {}

  /** The routes. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.ask(
            "{db}/causes",
            Right.VIEW,
            "Groups the newest dead letters by cause and destination",
            CausesRequest.class,
            MessageJson.Causes.class,
            this::causes),
        ApiRoute.ask(
            "{db}/operations/preview",
            Right.OPERATE,
            "Counts what an operation would change, and fixes the instant up to which it goes",
            PreviewRequest.class,
            Preview.class,
            this::preview),
        ApiRoute.act(
            "PUT",
            "{db}/operations/{id}",
            Right.OPERATE,
            "Changes all messages that fit a filter, or the next ones; paused: send the new token",
            OperationRequest.class,
            Operation.class,
            this::operate));
  }

  private Answer causes(Call call) {
    CausesRequest given = call.body(CausesRequest.class);
    MessageFilter filter = SearchRequest.filterOf(given.filter(), Stage.DEAD);
    int limit = given.limit() == null ? GROUPS_DEFAULT : given.limit();
    try {
      return Answer.of(causes(call, filter, limit));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
  }

  private MessageJson.Causes causes(Call call, MessageFilter filter, int limit) {
    CausePage page =
        permits.ask(
            () ->
                CausePage.newest(
                    call.database().desk().messages(),
                    filter,
                    MessageCalls.visible(call.operator()),
                    limit));
    boolean complete = page.looked().complete();
    return new MessageJson.Causes(
        page.groups().stream().map(MessageJson.Cause::of).toList(),
        new BoundedCount(page.count(), !complete),
        page.others(),
        new Scanned(page.looked().rows(), page.looked().until(), complete),
        page.now());
  }

  private static Predicate<MessageRow> changeable(Call call) {
    return call.operator().mayAll(Right.OPERATE)
        ? row -> true
        : row -> call.operator().may(Right.OPERATE, row);
  }

  private Answer preview(Call call) {
    PreviewRequest given = call.body(PreviewRequest.class);
    Kind kind = Call.choice("kind", Kind.class, given.kind());
    MessageFilter filter = SearchRequest.filterOf(given.filter(), kind.stage());
    Tally tally = new Tally(changeable(call));
    MessagePage page =
        permits.ask(
            () ->
                call.database()
                    .desk()
                    .messages()
                    .search(
                        MessageQuery.newest(kind.stage(), filter, 1)
                            .permitted(tally::add)
                            .budget(
                                new SearchBudget(COUNT_ROWS_MAX, SearchBudget.DEFAULT.timeMax()))));
    return Answer.of(
        new Preview(
            new Token(page.now(), null).text(),
            page.now(),
            new BoundedCount(tally.count, !page.scanned().complete()),
            tally.byDestination,
            tally.sample.stream().map(Row::listed).toList(),
            tally.warnings()));
  }

  /** Counts what fits; nothing is to be given. Not thread-safe. */
  private static final class Tally {
    private final Predicate<MessageRow> changeable;
    private final Map<String, Integer> byDestination = new TreeMap<>();
    private final List<MessageRow> sample = new ArrayList<>();
    private int count;
    private int blocking;
    private int refusedAtOnce;

    Tally(Predicate<MessageRow> changeable) {
      this.changeable = changeable;
    }

    boolean add(MessageRow row) {
      if (changeable.test(row)) {
        count++;
        String destination = ShownAddress.of(row.destination());
        boolean named =
            byDestination.containsKey(destination) || byDestination.size() < DESTINATIONS_MAX;
        byDestination.merge(named ? destination : OTHERS, 1, Integer::sum);
        blocking += row.blocksKey() ? 1 : 0;
        refusedAtOnce += row.attempts() <= 1 && row.stage() == Stage.DEAD ? 1 : 0;
        if (sample.size() < SAMPLE) {
          sample.add(row);
        }
      }
      return false;
    }

    List<Warning> warnings() {
      List<Warning> warnings = new ArrayList<>();
      if (blocking > 0) {
        warnings.add(new Warning("BLOCKS_KEYS", blocking));
      }
      if (refusedAtOnce > 0) {
        warnings.add(new Warning("REFUSED_BEFORE", refusedAtOnce));
      }
      return warnings;
    }
  }

  private Answer operate(Call call) {
    UUID id = call.uuid("id");
    OperationRequest given = call.body(OperationRequest.class);
    Kind kind = Call.choice("kind", Kind.class, given.kind());
    MessageFilter filter = SearchRequest.filterOf(given.filter(), kind.stage());
    Token token = Token.of(given.token());
    ActBy by = call.actBy(given.reason(), id);
    BulkAct.Progress progress;
    try {
      int limit = given.limit() == null ? BulkAct.MESSAGES_MAX : given.limit();
      BulkAct act =
          new BulkAct(kind, filter, changeable(call), token.until(), token.cursor(), limit);
      progress = permits.ask(() -> act.run(call.database().desk(), by));
    } catch (IllegalArgumentException e) {
      throw Problem.invalid(String.valueOf(e.getMessage()));
    }
    boolean done = progress.next() == null;
    LOG.info(
        "Operation {} by {}: {}, {} messages, {} changed by others meanwhile, {} refused, {}",
        id,
        by.decision().by(),
        kind,
        progress.done(),
        progress.notFound(),
        progress.refused(),
        done ? "done" : "to be continued");
    return Answer.of(
        new Operation(
            id.toString(),
            RecordJson.text(kind),
            done ? "done" : "paused",
            progress.until(),
            by.decision().by(),
            by.decision().reason(),
            progress.scanned(),
            progress.done(),
            progress.notFound(),
            progress.refused(),
            done ? null : new Token(progress.until(), progress.next()).text(),
            done ? null : "send the request again with this token to continue"));
  }

  /**
   * Up to which instant an operation goes, and where it continues. A client that forges one can
   * choose both, but a filter permits as much. Immutable.
   */
  record Token(Instant until, @Nullable String cursor) {
    private static final String WRONG =
        "token: not the token of a preview (expected: token of a preview or of a paused operation)";

    String text() {
      String plain = until + "/" + (cursor == null ? "" : cursor);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(UTF_8));
    }

    static Token of(@Nullable String text) {
      if (text == null) {
        throw Problem.invalid(WRONG);
      }
      try {
        String[] parts = new String(Base64.getUrlDecoder().decode(text), UTF_8).split("/", 2);
        if (parts.length == 2) {
          return new Token(Instant.parse(parts[0]), parts[1].isEmpty() ? null : parts[1]);
        }
      } catch (IllegalArgumentException | DateTimeParseException e) {
        throw Problem.invalid(WRONG);
      }
      throw Problem.invalid(WRONG);
    }
  }
}
