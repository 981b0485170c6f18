package io.angarium.server.console;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.deadletter.RequeueProgress;
import io.angarium.desk.CausePage;
import io.angarium.half.Refusal;
import io.angarium.http.half.HalfProblem;
import io.angarium.intake.Position;
import io.angarium.internal.DurationText;
import io.angarium.server.access.Caller;
import io.angarium.server.console.ConsoleJson.ActResult;
import io.angarium.server.console.ConsoleJson.CauseItem;
import io.angarium.server.console.ConsoleJson.Causes;
import io.angarium.server.console.ConsoleJson.Count;
import io.angarium.server.console.ConsoleJson.Looked;
import io.angarium.server.console.ConsoleJson.Operation;
import io.angarium.server.console.ConsoleJson.Page;
import io.angarium.server.console.ConsoleJson.Places;
import io.angarium.server.console.ConsoleJson.Preview;
import io.angarium.server.problem.ProblemException;
import io.angarium.spring.operate.DeadLetterItem;
import io.angarium.spring.operate.DestinationCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What persons do with dead letters at the server. Shows and changes only what the caller may see.
 * Thread-safe.
 */
public final class ConsoleDesk {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleDesk.class);
  private static final int LIMIT_DEFAULT = 50;
  private static final int SAMPLE = 5;

  /** Searches at a time. Each one holds a connection that the half messages need as well. */
  private static final int SEARCHES_MAX = 2;

  private static final Duration BUSY_PAUSE = Duration.ofSeconds(2);

  private final DeadLetters dead;
  private final Semaphore searches = new Semaphore(SEARCHES_MAX);

  public ConsoleDesk(DeadLetters dead) {
    this.dead = dead;
  }

  Page search(Caller caller, ConsoleJson.Search search) {
    int limit = search.limit() == null ? LIMIT_DEFAULT : search.limit();
    if (limit < 1 || limit > DeadLetterQuery.LIMIT_MAX) {
      throw ConsoleJson.invalid(
          "limit: " + limit + " (expected: 1.." + DeadLetterQuery.LIMIT_MAX + ")");
    }
    Predicate<DeadLetterRow> matches = ConsoleJson.filter(search).and(caller::mayView);
    DeadLetterPage page =
        search(
            DeadLetterQuery.of(matches, ConsoleJson.order(search), limit)
                .after(position(search.cursor())));
    return new Page(
        page.rows().stream().map(DeadLetterItem::listed).toList(),
        DeadLetterItem.cursor(page.next()),
        looked(page.looked()),
        page.now().toString());
  }

  /** Groups the newest dead letters that the caller may see. */
  Causes causes(Caller caller, Predicate<DeadLetterRow> filter, @Nullable Integer limit) {
    int wanted = limit == null ? LIMIT_DEFAULT : limit;
    if (wanted < 1 || wanted > CausePage.GROUPS_MAX) {
      throw ConsoleJson.invalid(
          "limit: " + wanted + " (expected: 1.." + CausePage.GROUPS_MAX + ")");
    }
    CausePage page = inTurn(() -> CausePage.newest(dead, filter.and(caller::mayView), wanted));
    return new Causes(
        page.groups().stream().map(CauseItem::of).toList(),
        new Count(page.count(), !page.looked().complete()),
        page.others(),
        looked(page.looked()),
        page.now().toString());
  }

  private DeadLetterPage search(DeadLetterQuery query) {
    return inTurn(() -> dead.search(query));
  }

  private <T> T inTurn(Supplier<T> work) {
    if (!searches.tryAcquire()) {
      throw new ProblemException(
          503,
          HalfProblem.BUSY,
          "%d searches of dead letters are running (expected: fewer); try again in %s"
              .formatted(SEARCHES_MAX, DurationText.of(BUSY_PAUSE)),
          BUSY_PAUSE);
    }
    try {
      return work.get();
    } finally {
      searches.release();
    }
  }

  private static Looked looked(DeadLetterPage.Looked looked) {
    Instant until = looked.until();
    return new Looked(looked.rows(), until == null ? null : until.toString(), looked.complete());
  }

  private static @Nullable Position position(@Nullable String cursor) {
    return cursor == null
        ? null
        : DeadLetterItem.position(cursor)
            .orElseThrow(
                () ->
                    ConsoleJson.invalid(
                        "cursor: not the cursor of a page (expected: next of a page)"));
  }

  /** What may not be seen is unknown, so that nobody learns of it by its id. */
  Places find(Caller caller, MessageId id) {
    List<DeadLetterItem> places =
        dead.rows(List.of(id)).stream().filter(caller::mayView).map(DeadLetterItem::whole).toList();
    if (places.isEmpty()) {
      throw new ProblemException(
          404, Refusal.UNKNOWN.name(), "no dead letter has the id " + id.value());
    }
    return new Places(id.value().toString(), places);
  }

  ActResult requeue(Caller caller, Set<MessageId> ids, Decision decision) {
    Set<MessageId> mine = new LinkedHashSet<>();
    dead.rows(ids).stream().filter(caller::mayRequeue).forEach(row -> mine.add(row.id()));
    Set<MessageId> done = mine.isEmpty() ? mine : dead.requeue(mine, decision);
    List<MessageId> notFound = new ArrayList<>(ids);
    notFound.removeAll(done);
    return new ActResult(texts(done), texts(notFound), Map.of());
  }

  private static List<String> texts(Iterable<MessageId> ids) {
    List<String> texts = new ArrayList<>();
    ids.forEach(id -> texts.add(id.value().toString()));
    return texts;
  }

  /** Counts without reading more than one search may, and fixes the instant up to which it goes. */
  Preview preview(Caller caller, Predicate<DeadLetterRow> filter) {
    Predicate<DeadLetterRow> matches = filter.and(caller::mayRequeue);
    DestinationCounts counts = new DestinationCounts();
    List<MessageId> first = new ArrayList<>();
    DeadLetterPage page =
        search(
            DeadLetterQuery.of(
                row -> {
                  if (matches.test(row)) {
                    counts.add(row.destination());
                    if (first.size() < SAMPLE) {
                      first.add(row.id());
                    }
                  }
                  return false; // counted is enough
                },
                Order.OLDEST,
                1));
    return new Preview(
        new ConsoleToken(page.now(), null).text(),
        page.now().toString(),
        new Count(counts.sum(), !page.looked().complete()),
        counts.byDestination(),
        dead.rows(first).stream().map(DeadLetterItem::listed).toList(),
        List.of(),
        false);
  }

  /** Goes as far as one request may; the answer says whether it has to be repeated. */
  Operation requeueAll(
      Caller caller,
      UUID id,
      Predicate<DeadLetterRow> filter,
      ConsoleToken token,
      Decision decision) {
    RequeueProgress progress =
        inTurn(
            () ->
                dead.requeueAll(
                    filter.and(caller::mayRequeue), token.until(), token.after(), decision));
    LOG.info(
        "Operation {} by {}: {} dead letters requeued, {} decided by others meanwhile, {}; reason"
            + " '{}', {}",
        id,
        decision.by(),
        progress.requeued(),
        progress.gone(),
        progress.next() == null ? "done" : "to be continued",
        decision.reason(),
        filter);
    boolean done = progress.next() == null;
    return new Operation(
        id.toString(),
        "requeue",
        done ? "done" : "paused",
        token.until().toString(),
        decision.by(),
        decision.reason(),
        progress.looked(),
        progress.requeued(),
        progress.gone(),
        done ? null : new ConsoleToken(token.until(), progress.next()).text(),
        done ? null : "send the request again with this token to continue");
  }
}
