package io.angarium.alert.signal;

import io.angarium.Destination;
import io.angarium.TimeSource;
import io.angarium.board.NodeBoard;
import io.angarium.confirmation.Confirmations;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.DestinationView;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessagePage;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.Overview;
import io.angarium.desk.PauseDesk;
import io.angarium.desk.SearchBudget;
import io.angarium.desk.Stage;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.relay.settings.CircuitState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads what rules of alerts look at: what there is of a database, in as few statements as there
 * are kinds of it, whatever the tables hold. Blocks for the database. Thread-safe.
 */
public final class SignalReader implements Supplier<Signals> {
  /** Older reports that differ are for the console alone. */
  private static final Duration REPORTS_AGE = Duration.ofDays(7);

  private static final int REPORTS_MAX = 100;

  /** What one look for messages that no pause holds back may cost. */
  private static final SearchBudget BUDGET = new SearchBudget(20_000, Duration.ofSeconds(1));

  private final String node;
  private final MessageBrowser browser;
  private final int countMax;
  private final Supplier<@Nullable PauseDesk> pauses;
  private final Supplier<@Nullable HalfMessageDesk> half;
  private final Supplier<@Nullable NodeBoard> board;
  private final Supplier<@Nullable Confirmations> confirmations;
  private final Supplier<@Nullable ReportShelf> reports;
  private final Supplier<Map<Destination, CircuitState>> circuits;
  private final Supplier<List<String>> faults;
  private final TimeSource time;

  private SignalReader(Builder builder) {
    this.node = builder.node;
    this.browser = builder.browser;
    this.countMax = builder.countMax;
    this.pauses = builder.pauses;
    this.half = builder.half;
    this.board = builder.board;
    this.confirmations = builder.confirmations;
    this.reports = builder.reports;
    this.circuits = builder.circuits;
    this.faults = builder.faults;
    this.time = builder.time;
  }

  /**
   * Begins to put one together, which reads the outbox and its nodes.
   *
   * @param node the name of this process
   * @param countMax where counts end
   */
  public static Builder builder(String node, MessageBrowser browser, int countMax) {
    return new Builder(node, browser, countMax);
  }

  /** The name of this process. */
  public String node() {
    return node;
  }

  @Override
  public Signals get() {
    Overview overview = browser.overview(countMax);
    Instant clock = time.instant();
    PauseDesk pausing = pauses.get();
    List<DestinationPause> paused = pausing == null ? List.of() : pausing.pauses();
    HalfMessageDesk desk = half.get();
    NodeBoard told = board.get();
    Confirmations waiting = confirmations.get();
    ReportShelf shelf = reports.get();
    return new Signals(
        overview,
        browser.members(),
        desk == null ? null : desk.backlog(),
        told == null ? null : told.nodes(),
        circuits.get(),
        faults.get(),
        node,
        clock,
        waiting == null ? List.of() : waiting.byDestination(),
        shelf == null ? List.of() : shelf.open(REPORTS_AGE, REPORTS_MAX),
        paused,
        paused.isEmpty() ? overview.oldestWaiting() : oldestUnpaused(overview, paused));
  }

  /**
   * When the oldest message was committed that waits and that no pause holds back. Behind many that
   * a pause holds back, it is told by destination.
   */
  private @Nullable Instant oldestUnpaused(Overview overview, List<DestinationPause> paused) {
    if (overview.oldestWaiting() == null) {
      return null;
    }
    Predicate<String> free =
        destination -> paused.stream().noneMatch(each -> each.covers(destination));
    MessagePage oldest =
        browser.search(
            MessageQuery.newest(Stage.WAITING, MessageFilter.ALL, 1)
                .order(MessageQuery.Order.OLDEST)
                .permitted(row -> free.test(row.destination()))
                .budget(BUDGET));
    if (!oldest.rows().isEmpty()) {
      return oldest.rows().get(0).createdAt();
    }
    return oldest.scanned().complete()
        ? null
        : browser.destinations().destinations().stream()
            .filter(each -> free.test(each.destination()))
            .map(DestinationView::oldest)
            .filter(Objects::nonNull)
            .min(Instant::compareTo)
            .orElse(null);
  }

  /** Puts one together. What is not given is not read. Not thread-safe. */
  public static final class Builder {
    private final String node;
    private final MessageBrowser browser;
    private final int countMax;
    private Supplier<@Nullable PauseDesk> pauses = () -> null;
    private Supplier<@Nullable HalfMessageDesk> half = () -> null;
    private Supplier<@Nullable NodeBoard> board = () -> null;
    private Supplier<@Nullable Confirmations> confirmations = () -> null;
    private Supplier<@Nullable ReportShelf> reports = () -> null;
    private Supplier<Map<Destination, CircuitState>> circuits = Map::of;
    private Supplier<List<String>> faults = List::of;
    private TimeSource time = TimeSource.SYSTEM;

    private Builder(String node, MessageBrowser browser, int countMax) {
      this.node = node;
      this.browser = browser;
      this.countMax = countMax;
    }

    /** Where persons pause destinations; asked for at each reading. */
    public Builder pauses(Supplier<@Nullable PauseDesk> pauses) {
      this.pauses = pauses;
      return this;
    }

    /** Where half messages are decided; asked for at each reading. */
    public Builder half(Supplier<@Nullable HalfMessageDesk> half) {
      this.half = half;
      return this;
    }

    /** What nodes tell; asked for at each reading. */
    public Builder board(Supplier<@Nullable NodeBoard> board) {
      this.board = board;
      return this;
    }

    /** The messages that wait for receipts; asked for at each reading. */
    public Builder confirmations(Supplier<@Nullable Confirmations> confirmations) {
      this.confirmations = confirmations;
      return this;
    }

    /** The reports of reconciliations; asked for at each reading. */
    public Builder reports(Supplier<@Nullable ReportShelf> reports) {
      this.reports = reports;
      return this;
    }

    /** The circuits of the relay of this process. */
    public Builder circuits(Supplier<Map<Destination, CircuitState>> circuits) {
      this.circuits = circuits;
      return this;
    }

    /** Why work of this process is not done, each in a sentence. */
    public Builder faults(Supplier<List<String>> faults) {
      this.faults = faults;
      return this;
    }

    /** Sets the clock of this process; by default that of the JVM. */
    public Builder time(TimeSource time) {
      this.time = time;
      return this;
    }

    /** Creates it. */
    public SignalReader build() {
      return new SignalReader(this);
    }
  }
}
