package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.TimeSource;
import io.angarium.alert.Signals;
import io.angarium.background.BackgroundWork;
import io.angarium.board.NodeBoard;
import io.angarium.confirmation.Confirmations;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.Overview;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.relay.Relay;
import io.angarium.spring.operate.RelayLifecycle;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** Reads what rules of alerts look at. Blocks for the database. Thread-safe. */
public final class SignalReader implements Supplier<Signals> {
  /** Older reports that differ are for the console alone. */
  private static final Duration REPORTS_AGE = Duration.ofDays(7);

  private static final int REPORTS_MAX = 100;

  private final String node;
  private final MessageBrowser browser;
  private final ObjectProvider<HalfMessageDesk> half;
  private final ObjectProvider<RelayLifecycle> relay;
  private final ObjectProvider<NodeBoard> board;
  private final ObjectProvider<BackgroundWork> work;
  private final ObjectProvider<Confirmations> confirmations;
  private final ObjectProvider<ReportShelf> reports;
  private final TimeSource time;
  private final int countMax;

  /**
   * Creates a reader.
   *
   * @param node the name of this process
   * @param countMax where counts end
   * @param half empty if there are no half messages in this database
   * @param relay empty if this process has none
   * @param board empty if nodes tell nothing
   * @param work whose faults are told, but for that of the alerts
   * @param confirmations empty if no destination demands any
   * @param reports empty if no reports are kept
   */
  public SignalReader(
      String node,
      MessageBrowser browser,
      int countMax,
      ObjectProvider<HalfMessageDesk> half,
      ObjectProvider<RelayLifecycle> relay,
      ObjectProvider<NodeBoard> board,
      ObjectProvider<BackgroundWork> work,
      ObjectProvider<Confirmations> confirmations,
      ObjectProvider<ReportShelf> reports,
      TimeSource time) {
    this.node = node;
    this.browser = browser;
    this.countMax = countMax;
    this.half = half;
    this.relay = relay;
    this.board = board;
    this.work = work;
    this.confirmations = confirmations;
    this.reports = reports;
    this.time = time;
  }

  /** The name of this process. */
  public String node() {
    return node;
  }

  @Override
  public Signals get() {
    Overview overview = browser.overview(countMax);
    Instant clock = time.instant();
    HalfMessageDesk desk = half.getIfAvailable();
    NodeBoard told = board.getIfAvailable();
    Optional<Relay> running =
        Optional.ofNullable(relay.getIfAvailable()).flatMap(RelayLifecycle::relay);
    Confirmations waiting = confirmations.getIfAvailable();
    ReportShelf shelf = reports.getIfAvailable();
    return new Signals(
        overview,
        browser.members(),
        desk == null ? null : desk.backlog(),
        told == null ? null : told.nodes(),
        running.map(Relay::circuits).orElse(Map.of()),
        faults(running),
        node,
        clock,
        waiting == null ? List.of() : waiting.byDestination(),
        shelf == null ? List.of() : shelf.open(REPORTS_AGE, REPORTS_MAX));
  }

  private List<String> faults(Optional<Relay> running) {
    Stream<String> ofRelay =
        running
            .filter(each -> !each.healthy())
            .map(each -> "The relay is stalled, has no valid lease, or is refused its writes")
            .stream();
    Stream<String> ofWork =
        work.stream()
            .filter(each -> !(each instanceof AlertLifecycle))
            .map(BackgroundWork::fault)
            .flatMap(Optional::stream)
            .sorted();
    return Stream.concat(ofRelay, ofWork).toList();
  }
}
