package io.angarium.spring.autoconfigure.internal.web;

import io.angarium.StoreException;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.Decision;
import io.angarium.spring.autoconfigure.internal.run.RelayHealth;
import io.angarium.spring.operate.DeadLetterItem;
import io.angarium.store.Backlog;
import io.angarium.store.OutboxStore;
import java.security.Principal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.lang.Nullable;

/**
 * The Actuator endpoint {@code angarium}: health detail, backlog and dead letters. Reading is
 * allowed where the application exposes it; requeueing needs {@code
 * management.endpoint.angarium.access=unrestricted} as well. Shows no payloads and no headers.
 * Thread-safe.
 */
@Endpoint(id = "angarium", defaultAccess = Access.READ_ONLY)
public final class AngariumEndpoint {
  private static final String DEAD_LETTERS = "dead-letters";

  /** Who acts where the application does not ask who it is. */
  private static final String NOBODY = "actuator";

  private final @org.jspecify.annotations.Nullable RelayHealth health;
  private final OutboxStore store;
  private final DeadLetterDesk desk;

  /**
   * Creates it.
   *
   * @param health null if no relay runs in this process
   */
  public AngariumEndpoint(
      @org.jspecify.annotations.Nullable RelayHealth health,
      OutboxStore store,
      DeadLetterDesk desk) {
    this.health = health;
    this.store = store;
    this.desk = desk;
  }

  /** Health of the relay and why, what waits, and dead letters by destination. */
  @ReadOperation
  Map<String, Object> overview() {
    Map<String, Object> overview = new LinkedHashMap<>();
    overview.put("relay", relay());
    try {
      overview.put("backlog", backlog(store.backlog()));
      overview.put("deadLetters", desk.summary());
    } catch (StoreException e) { // the state of the relay is told in any case
      overview.put("store", String.valueOf(e.getMessage()));
    }
    return overview;
  }

  private Map<String, Object> relay() {
    if (health == null) {
      return Map.of("status", "OFF");
    }
    RelayHealth.Report report = health.report();
    Map<String, Object> relay = new LinkedHashMap<>();
    relay.put("status", report.up() ? "UP" : "DOWN");
    relay.put("details", report.details());
    return relay;
  }

  private static Map<String, Object> backlog(Backlog backlog) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("unsent", backlog.depth());
    figures.put("parked", backlog.parked());
    figures.put("dead", backlog.dead());
    figures.put("oldestAge", backlog.oldestAge().toString());
    return figures;
  }

  /** Dead letters that match, newest first; null for another name than {@code dead-letters}. */
  @ReadOperation
  @Nullable
  Map<String, Object> deadLetters(
      @Selector String what,
      @Nullable String destination,
      @Nullable String key,
      @Nullable String type,
      @Nullable String reasonHas,
      @Nullable String from,
      @Nullable String to,
      @Nullable Integer limit,
      @Nullable String cursor) {
    return DEAD_LETTERS.equals(what)
        ? desk.page(filter(destination, key, type, reasonHas, from, to), limit, cursor)
        : null;
  }

  /** One dead letter with its whole error; null if there is none. */
  @ReadOperation
  @Nullable
  DeadLetterItem deadLetter(@Selector String what, @Selector String id) {
    return DEAD_LETTERS.equals(what) ? desk.find(id).orElse(null) : null;
  }

  /**
   * Requeues the dead letters with the ids, or all dead letters that match the other parts. One of
   * the two is required, so that a forgotten filter does not mean everything.
   *
   * @param reason why, written to the log; required: a request without it is refused with words
   * @param ids in a request over HTTP one text with commas, because the Actuator takes no arrays
   */
  @WriteOperation
  Map<String, Object> requeue(
      SecurityContext security,
      @Selector String what,
      @Nullable String reason,
      @Nullable List<String> ids,
      @Nullable String destination,
      @Nullable String key,
      @Nullable String type,
      @Nullable String reasonHas,
      @Nullable String from,
      @Nullable String to,
      @Nullable String cursor) {
    if (!DEAD_LETTERS.equals(what)) {
      throw DeadLetterDesk.invalid(
          "selector: '" + what + "' (expected: " + DEAD_LETTERS + "; nothing was requeued)");
    }
    Decision decision = decision(security, reason);
    DeadLetterFilter filter = filter(destination, key, type, reasonHas, from, to);
    boolean filters = !filter.equals(DeadLetterFilter.ALL);
    if (ids != null && !filters && cursor == null) {
      return desk.requeue(ids, decision);
    }
    if (ids != null || destination == null) {
      throw DeadLetterDesk.invalid(
          "ids or destination: "
              + (ids == null ? "none" : "ids and a filter")
              + " (expected: ids alone, or a destination, '*' for all, perhaps with key, type,"
              + " reasonHas, from and to)");
    }
    if (cursor != null && to == null) {
      throw DeadLetterDesk.invalid(
          "to: none (expected: the one in the answer that gave the cursor, so that no later ones"
              + " are requeued)");
    }
    return desk.requeueAll(filter, cursor, decision);
  }

  private static Decision decision(SecurityContext security, @Nullable String reason) {
    if (reason == null) {
      throw DeadLetterDesk.invalid("reason: none (expected: why, which is written to the log)");
    }
    Principal principal = security.getPrincipal();
    try {
      return new Decision(principal == null ? NOBODY : name(principal), reason);
    } catch (IllegalArgumentException e) {
      throw DeadLetterDesk.invalid(String.valueOf(e.getMessage()));
    }
  }

  /** The beginning of a name that is longer than its column. */
  private static String name(Principal principal) {
    String name = principal.getName();
    return name.length() <= Decision.BY_LENGTH_MAX
        ? name
        : name.substring(0, Decision.BY_LENGTH_MAX - 1) + "…";
  }

  private static DeadLetterFilter filter(
      @Nullable String destination,
      @Nullable String key,
      @Nullable String type,
      @Nullable String reasonHas,
      @Nullable String from,
      @Nullable String to) {
    try {
      return new DeadLetterFilter(
          destination == null ? List.of() : List.of(destination),
          key,
          type,
          null,
          null,
          reasonHas,
          DeadLetterDesk.instant("from", from),
          DeadLetterDesk.instant("to", to),
          null);
    } catch (IllegalArgumentException e) {
      throw DeadLetterDesk.invalid(String.valueOf(e.getMessage()));
    }
  }
}
