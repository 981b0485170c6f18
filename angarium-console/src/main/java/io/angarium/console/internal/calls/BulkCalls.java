package io.angarium.console.internal.calls;

import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.calls.MessageJson.Row;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.internal.problem.Problem;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.CausePage;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Scanned;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.Stage;
import io.angarium.internal.ShownAddress;
import io.angarium.operation.OperationKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Groups of dead letters, and what an operation would do. Thread-safe. */
public final class BulkCalls {
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
            this::preview));
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
    OperationKind kind = Call.choice("kind", OperationKind.class, given.kind());
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
            page.now().toString(), // to the microsecond
            page.now(),
            new BoundedCount(tally.count, !page.scanned().complete()),
            tally.byDestination,
            tally.sample.stream().map(Row::listed).toList(),
            tally.warnings(call.operator().mayAll(Right.ADMIN))));
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

    List<Warning> warnings(boolean mayMore) {
      List<Warning> warnings = new ArrayList<>();
      if (count > OperationCalls.MESSAGES_MAX && !mayMore) {
        warnings.add(new Warning("MESSAGES_MAX", OperationCalls.MESSAGES_MAX));
      }
      if (blocking > 0) {
        warnings.add(new Warning("BLOCKS_KEYS", blocking));
      }
      if (refusedAtOnce > 0) {
        warnings.add(new Warning("REFUSED_BEFORE", refusedAtOnce));
      }
      return warnings;
    }
  }
}
