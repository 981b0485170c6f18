package io.angarium.console.internal.calls;

import io.angarium.TimeSource;
import io.angarium.alert.Alert;
import io.angarium.alert.AlertState;
import io.angarium.alert.Severity;
import io.angarium.board.BoardView;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeStatus;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.internal.access.Permits;
import io.angarium.console.internal.http.Answer;
import io.angarium.console.internal.http.ApiRoute;
import io.angarium.console.internal.http.Call;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.CausePage;
import io.angarium.desk.DestinationPage;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.DestinationView;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.NodeView;
import io.angarium.desk.Overview;
import io.angarium.desk.PartitionView;
import io.angarium.desk.RelayView;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.StoredReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the frame and the overview show. All who may see everything share one reading, which is at
 * most {@link #AGE_MAX} old. An operator with a smaller scope adds readings of their own.
 * Thread-safe.
 */
public final class PulseCalls {
  /** How old a reading may be. */
  static final Duration AGE_MAX = Duration.ofSeconds(2);

  /** Reports of a task among which open ones are counted. */
  private static final int REPORTS_PER_TASK = 20;

  /** Causes and reports are read less often than counts. */
  static final Duration SLOW_AGE_MAX = Duration.ofSeconds(10);

  private static final int CAUSES_SHOWN = 5;

  private final Permits permits;
  private final TimeSource time;
  private final Map<String, Readings> readings = new ConcurrentHashMap<>();

  public PulseCalls(Permits permits, TimeSource time) {
    this.permits = permits;
    this.time = time;
  }

  /** Half messages that need somebody. Immutable. */
  record Half(BoundedCount unresolved, BoundedCount overdue) {}

  /** Numbers of alerts that are firing and have not been taken. Immutable. */
  record Alerts(BoundedCount firing, BoundedCount critical) {
    static Alerts of(List<Alert> open) {
      long critical = open.stream().filter(each -> each.severity() == Severity.CRITICAL).count();
      return new Alerts(new BoundedCount(open.size(), false), new BoundedCount(critical, false));
    }
  }

  /** What is read less often, as it costs more. Immutable. */
  private record Slow(List<MessageJson.Cause> causes, @Nullable BoundedCount openReports) {}

  /** A reading of everything, with what an operator's share is taken from. */
  private record Reading(
      Pulse pulse,
      @Nullable List<Alert> alerts,
      List<DestinationPause> pauses,
      @Nullable BoardView board) {}

  /** Nodes by their state, and the versions of those that are live. Immutable. */
  record Nodes(long live, long resting, long silent, List<String> versions) {}

  /** Partitions, and how many have a live owner. Immutable. */
  record Partitions(int all, long owned) {}

  /** The state of a database. Counts that would tell more than one may see are null. Immutable. */
  record Pulse(
      Instant now,
      String database,
      String product,
      BoundedCount waiting,
      @Nullable Instant oldestWaiting,
      BoundedCount delayed,
      @Nullable Instant nextDue,
      @Nullable BoundedCount overdue,
      BoundedCount retrying,
      BoundedCount held,
      BoundedCount dead,
      @Nullable BoundedCount deadLastHour,
      @Nullable Instant latestDeath,
      @Nullable BoundedCount unconfirmed,
      @Nullable BoundedCount discarded,
      @Nullable BoundedCount sentLastMinute,
      boolean history,
      @Nullable Half half,
      @Nullable BoundedCount openReports,
      @Nullable Alerts alerts,
      BoardParts.@Nullable Rates rates,
      @Nullable List<BoardParts.Circuit> circuits,
      Nodes nodes,
      Partitions partitions,
      List<PauseCalls.Shown> pauses,
      List<MessageJson.Cause> causes) {}

  /** The route. */
  public List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get(
            "{db}/pulse",
            Right.VIEW,
            "Gives the state of a database in numbers, at most two seconds old",
            Pulse.class,
            List.of(),
            this::pulse));
  }

  private Answer pulse(Call call) {
    ConsoleDatabase database = call.database();
    Readings shared = readings.computeIfAbsent(database.name(), name -> new Readings(database));
    Operator operator = call.operator();
    Reading reading = shared.whole();
    Pulse pulse =
        operator.mayAll(Right.VIEW) ? reading.pulse() : scoped(reading, database, operator);
    String tag = "\"" + Integer.toHexString(Objects.hash(pulse)) + "\"";
    return tag.equals(call.request().getHeader("If-None-Match"))
        ? new Answer(304, null, Map.of("ETag", tag))
        : Answer.of(pulse).with("ETag", tag);
  }

  /** The readings of one database. Thread-safe. */
  private final class Readings {
    private final ConsoleDatabase database;
    private @Nullable Reading last;
    private long lastNanos;
    private @Nullable Slow slow;
    private long slowNanos;

    Readings(ConsoleDatabase database) {
      this.database = database;
    }

    /** Reads once for all: callers who come meanwhile wait for that reading. */
    synchronized Reading whole() {
      long now = time.nanoTime();
      Reading fresh = last;
      if (fresh != null && now - lastNanos < AGE_MAX.toNanos()) {
        return fresh;
      }
      Slow rest = slow;
      if (rest == null || now - slowNanos >= SLOW_AGE_MAX.toNanos()) {
        rest =
            new Slow(
                causes(database, Operator.ofAll("console", Right.VIEWER)),
                permits.ask(() -> openReports(database.reports())));
        slow = rest;
        slowNanos = now;
      }
      Slow known = rest;
      Reading read = permits.ask(() -> read(database, known));
      last = read;
      lastNanos = time.nanoTime();
      return read;
    }
  }

  private List<MessageJson.Cause> causes(ConsoleDatabase database, Operator operator) {
    return permits
        .ask(
            () ->
                CausePage.newest(
                    database.desk().messages(),
                    MessageFilter.ALL,
                    MessageCalls.visible(operator),
                    CAUSES_SHOWN))
        .groups()
        .stream()
        .map(MessageJson.Cause::of)
        .toList();
  }

  /** The latest reports of each task that differ and about which nothing was done. */
  private static @Nullable BoundedCount openReports(@Nullable ReportDesk desk) {
    if (desk == null) {
      return null;
    }
    List<StoredReport> open =
        desk.latest(REPORTS_PER_TASK).stream().filter(StoredReport::open).toList();
    return new BoundedCount(open.size(), false);
  }

  private static Reading read(ConsoleDatabase database, Slow slow) {
    List<Alert> alerts = openAlerts(database.alerts());
    List<DestinationPause> pauses = database.desk().pauses().pauses();
    NodeBoard told = database.board();
    BoardView board = told == null ? null : told.nodes();
    Alerts counted = alerts == null ? null : Alerts.of(alerts);
    return new Reading(read(database, slow, counted, pauses, board), alerts, pauses, board);
  }

  private static @Nullable List<Alert> openAlerts(@Nullable ConsoleAlerts alerts) {
    return alerts == null
        ? null
        : alerts.desk().alerts().stream()
            .filter(each -> each.state() == AlertState.FIRING && each.taken() == null)
            .toList();
  }

  private static Pulse read(
      ConsoleDatabase database,
      Slow slow,
      @Nullable Alerts alerts,
      List<DestinationPause> pauses,
      @Nullable BoardView board) {
    MessageBrowser messages = database.desk().messages();
    Overview overview = messages.overview();
    RelayView relay = messages.relay();
    return new Pulse(
        overview.now(),
        database.name(),
        database.product(),
        overview.waiting(),
        overview.oldestWaiting(),
        overview.delayed(),
        overview.nextDue(),
        overview.overdue(),
        overview.retrying(),
        overview.held(),
        overview.dead(),
        overview.deadLastHour(),
        overview.latestDeath(),
        overview.unconfirmed(),
        overview.discarded(),
        overview.sentLastMinute(),
        overview.history(),
        half(database.half()),
        slow.openReports(),
        alerts,
        board == null ? null : BoardParts.rates(board),
        board == null ? null : BoardParts.circuits(board, Operator.ofAll("console", Right.VIEWER)),
        nodes(relay, board),
        new Partitions(
            relay.partitions().size(),
            relay.partitions().stream().filter(PartitionView::live).count()),
        pauses.stream().map(PauseCalls.Shown::of).toList(),
        slow.causes());
  }

  private static @Nullable Half half(@Nullable HalfMessageDesk desk) {
    if (desk == null) {
      return null;
    }
    HalfBacklog backlog = desk.backlog();
    return new Half(
        new BoundedCount(backlog.unresolved(), false), new BoundedCount(backlog.overdue(), false));
  }

  private static Nodes nodes(RelayView relay, @Nullable BoardView board) {
    return new Nodes(
        relay.nodes().stream().filter(node -> isLive(node) && node.takingPart()).count(),
        relay.nodes().stream().filter(node -> isLive(node) && !node.takingPart()).count(),
        relay.nodes().stream().filter(node -> !isLive(node)).count(),
        board == null
            ? List.of()
            : BoardParts.live(board).map(NodeStatus::version).distinct().sorted().toList());
  }

  static boolean isLive(NodeView node) {
    return !node.leaseLeft().isNegative() && !node.leaseLeft().isZero();
  }

  /** Counts only what somebody may see, by the destinations; what these do not tell is null. */
  private Pulse scoped(Reading reading, ConsoleDatabase database, Operator operator) {
    Pulse whole = reading.pulse();
    List<Alert> alerts = reading.alerts();
    BoardView board = reading.board();
    DestinationPage page = permits.ask(() -> database.desk().messages().destinations());
    List<DestinationView> seen =
        page.destinations().stream()
            .filter(each -> operator.mayDestination(Right.VIEW, each.destination()))
            .toList();
    return new Pulse(
        whole.now(),
        whole.database(),
        whole.product(),
        sum(seen, page, DestinationView::waiting),
        seen.stream()
            .map(DestinationView::oldest)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(null),
        sum(seen, page, DestinationView::delayed),
        null,
        null,
        sum(seen, page, DestinationView::retrying),
        sum(seen, page, DestinationView::held),
        sum(seen, page, DestinationView::dead),
        null,
        null,
        null,
        null,
        null,
        whole.history(),
        null,
        null,
        alerts == null
            ? null
            : Alerts.of(
                alerts.stream()
                    .filter(each -> AlertScope.covers(operator, Right.VIEW, each.key().subject()))
                    .toList()),
        null,
        board == null ? null : BoardParts.circuits(board, operator),
        whole.nodes(),
        whole.partitions(),
        PauseCalls.shown(reading.pauses(), operator),
        causes(database, operator));
  }

  private static BoundedCount sum(
      List<DestinationView> seen, DestinationPage page, ToLongFunction<DestinationView> part) {
    return new BoundedCount(seen.stream().mapToLong(part).sum(), !page.complete());
  }
}
