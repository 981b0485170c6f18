package io.angarium.spring.autoconfigure.internal.web;

import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.deadletter.RequeueProgress;
import io.angarium.desk.CauseGroup;
import io.angarium.desk.CausePage;
import io.angarium.intake.Position;
import io.angarium.spring.operate.DeadLetterItem;
import io.angarium.spring.operate.DestinationCounts;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;

/** What the endpoint does with dead letters, from texts to texts. Thread-safe. */
public final class DeadLetterDesk {
  /** Causes that a summary shows at most. */
  private static final int CAUSES_SHOWN = 10;

  private static final int LIMIT_DEFAULT = 50;

  private final DeadLetters dead;

  public DeadLetterDesk(DeadLetters dead) {
    this.dead = dead;
  }

  /** Counts by destination and by cause, of the newest ones. */
  Map<String, Object> summary() {
    DestinationCounts counts = new DestinationCounts();
    CausePage page =
        CausePage.newest(
            dead,
            row -> {
              counts.add(row.destination());
              return true;
            },
            CAUSES_SHOWN);
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("count", page.count());
    summary.put("atLeast", !page.looked().complete());
    summary.put("byDestination", counts.byDestination());
    summary.put("byCause", page.groups().stream().map(DeadLetterDesk::cause).toList());
    return summary;
  }

  private static Map<String, Object> cause(CauseGroup group) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("fingerprint", group.cause().fingerprint());
    shown.put("cause", group.cause().text());
    shown.put("destination", group.destination());
    shown.put("count", group.count());
    shown.put("first", group.first().toString());
    shown.put("latest", group.latest().toString());
    shown.put("sample", group.sample().value().toString());
    return shown;
  }

  /** A page, newest first. */
  Map<String, Object> page(
      DeadLetterFilter filter, @Nullable Integer limit, @Nullable String cursor) {
    int wanted = limit == null ? LIMIT_DEFAULT : limit;
    if (wanted < 1 || wanted > DeadLetterQuery.LIMIT_MAX) {
      throw invalid("limit: " + wanted + " (expected: 1.." + DeadLetterQuery.LIMIT_MAX + ")");
    }
    DeadLetterPage page =
        dead.search(DeadLetterQuery.of(filter, Order.NEWEST, wanted).after(position(cursor)));
    Instant until = page.looked().until();
    Map<String, Object> looked = new LinkedHashMap<>();
    looked.put("rows", page.looked().rows());
    looked.put("until", until == null ? null : until.toString());
    looked.put("complete", page.looked().complete());
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("items", page.rows().stream().map(DeadLetterItem::listed).toList());
    answer.put("next", DeadLetterItem.cursor(page.next()));
    answer.put("looked", looked);
    answer.put("now", page.now().toString());
    return answer;
  }

  /** One with its whole error. */
  Optional<DeadLetterItem> find(String id) {
    return dead.rows(List.of(id(id))).stream().map(DeadLetterItem::whole).findFirst();
  }

  /** Requeues these. */
  Map<String, Object> requeue(List<String> ids, Decision decision) {
    if (ids.isEmpty() || ids.size() > DeadLetters.PAGE_MAX) {
      throw invalid("ids: " + ids.size() + " (expected: 1.." + DeadLetters.PAGE_MAX + ")");
    }
    Set<MessageId> wanted = new LinkedHashSet<>();
    ids.forEach(id -> wanted.add(id(id)));
    Set<MessageId> done = dead.requeue(wanted, decision);
    List<MessageId> notFound = new ArrayList<>(wanted);
    notFound.removeAll(done);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("done", done.stream().map(id -> id.value().toString()).toList());
    answer.put("notFound", notFound.stream().map(id -> id.value().toString()).toList());
    return answer;
  }

  /** Requeues all that match, as far as one call goes. */
  Map<String, Object> requeueAll(
      DeadLetterFilter filter, @Nullable String cursor, Decision decision) {
    RequeueProgress progress = dead.requeueAll(filter, filter.to(), position(cursor), decision);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("requeued", progress.requeued());
    answer.put("gone", progress.gone());
    answer.put("looked", progress.looked());
    answer.put("to", progress.until().toString());
    answer.put("next", DeadLetterItem.cursor(progress.next()));
    return answer;
  }

  /** Reads a point in time. */
  static @Nullable Instant instant(String name, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw invalid(name + ": '" + text + "' (expected: like 2026-11-26T12:03:04Z)");
    }
  }

  private static @Nullable Position position(@Nullable String cursor) {
    return cursor == null
        ? null
        : DeadLetterItem.position(cursor)
            .orElseThrow(() -> invalid("cursor: '" + cursor + "' (expected: next of a page)"));
  }

  private static MessageId id(String text) {
    try {
      return new MessageId(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw invalid("id: '" + text + "' (expected: a UUID)");
    }
  }

  static InvalidEndpointRequestException invalid(String text) {
    return new InvalidEndpointRequestException(text, text);
  }
}
