package io.angarium.alert;

import io.angarium.alert.signal.Signals;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.Overview;
import io.angarium.internal.DurationText;
import io.angarium.internal.ShownAddress;
import io.angarium.internal.UnicodeText;
import io.angarium.relay.settings.CircuitState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules that come with the product; docs/alerts.md lists them. */
public final class StandardRules {
  /** Where counts may end that these rules look at, unless a threshold is larger. */
  public static final int COUNT_MAX = 1_000;

  private static final double DEAD_CRITICAL = COUNT_MAX;
  private static final Set<String> COUNTING =
      Set.of("dead-letters", "dead-rate", "delayed-overdue");
  private static final double DEAD_LATELY = 20;
  private static final double SECONDS_OF_CLOCKS = 5;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);
  private static final double STORE_FAILURES = 5;

  private StandardRules() {}

  /** All of them, in the order of the documentation. */
  public static List<AlertRule> all() {
    return Stream.of(messages(), WaitingRules.all(), nodes(), decisions(), ConsumerRules.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<AlertRule> messages() {
    return List.of(
        rule(
            "dead-letters",
            "Messages were given up. Nothing sends them again until a person decides: requeue or"
                + " discard them.",
            MINUTE,
            1,
            StandardRules::deadLetters),
        rule(
            "dead-rate",
            "Messages die in numbers. Look at their causes before more do.",
            Duration.ZERO,
            DEAD_LATELY,
            StandardRules::deadRate),
        rule(
            "key-stuck",
            "The first message of a key fails again and again, and others wait behind it. Read its"
                + " error; what is wrong with it alone does not go away by itself.",
            Duration.ZERO,
            1,
            StandardRules::stuckKeys));
  }

  private static List<AlertRule> nodes() {
    return List.of(
        rule(
            "no-owner",
            "Nobody sends what is in these partitions. Start a relay, or look at why none takes"
                + " part.",
            Duration.ofSeconds(30),
            1,
            StandardRules::noOwner),
        rule(
            "node-silent",
            "A node has stopped without leaving: it was killed, is frozen, or has lost the"
                + " database. Others take over its partitions.",
            Duration.ZERO,
            1,
            StandardRules::silentNodes),
        rule(
            "relay-failing",
            "The relay of a node does not work as it should, or its database fails again and again."
                + " Its health check and its log say more.",
            MINUTE,
            STORE_FAILURES,
            BoardRules::failing),
        rule(
            "node-resting",
            "A node takes no part, as its writes failed. Its log says why.",
            MINUTE,
            1,
            StandardRules::restingNodes),
        rule(
            "work-not-done",
            "Work of a process is not done. Its health check and its log say more.",
            MINUTE,
            1,
            StandardRules::faults),
        rule(
            "circuit-open",
            "A destination takes nothing. Repair it; nothing is lost or counted meanwhile.",
            TWO_MINUTES,
            1,
            StandardRules::openCircuits),
        rule(
            "no-transport",
            "No node has the transport of a destination. Configure it somewhere, or redirect the"
                + " messages.",
            MINUTE,
            1,
            BoardRules::noTransport),
        rule(
            "mixed-versions",
            "Nodes of one database run different versions. End the upgrade, or find the node that"
                + " was forgotten.",
            Duration.ofHours(2),
            2,
            BoardRules::versions));
  }

  private static List<AlertRule> decisions() {
    return List.of(
        rule(
            "half-unresolved",
            "Half messages wait for a person, as their producers do not know. Find out what became"
                + " of their business transactions, then decide.",
            MINUTE,
            1,
            StandardRules::unresolved),
        rule(
            "half-overdue",
            "Nobody asks the producers of half messages: check-back is off everywhere, its nodes"
                + " are down, or there is more to ask than they bear.",
            Duration.ofMinutes(5),
            1,
            StandardRules::unasked),
        rule(
            "half-undecided",
            "Half messages have been asked for and not decided for a day.",
            Duration.ofDays(1),
            1,
            StandardRules::undecided),
        rule(
            "producer-unreachable",
            "A producer of half messages cannot be asked what became of them. Repair it, or its"
                + " address; it is asked again and again.",
            Duration.ZERO,
            1,
            BoardRules::producers),
        rule(
            "clock-skew",
            "The clocks of a process and of its database differ. Times that people see are those"
                + " of the database; set the clocks.",
            TWO_MINUTES,
            SECONDS_OF_CLOCKS,
            StandardRules::clocks));
  }

  static AlertRule rule(
      String name,
      String meaning,
      Duration hold,
      double threshold,
      BiFunction<Signals, Double, List<Finding>> look) {
    return new StandardRule(name, meaning, hold, threshold, look);
  }

  /** The largest threshold of a rule that can be reached: counts end. */
  static double thresholdMax(String rule) {
    return COUNTING.contains(rule) ? Overview.COUNT_MAX : Double.MAX_VALUE;
  }

  /** A rule with a number above which it finds something. */
  record StandardRule(
      String name,
      String meaning,
      Duration hold,
      double threshold,
      BiFunction<Signals, Double, List<Finding>> finder)
      implements AlertRule {
    @Override
    public List<Finding> look(Signals signals) {
      return finder.apply(signals, threshold);
    }

    StandardRule with(double other) {
      return new StandardRule(name, meaning, hold, other, finder);
    }
  }

  /** The rule with another threshold, if it has one that is given. */
  static AlertRule with(AlertRule rule, @Nullable Double threshold) {
    return threshold != null && rule instanceof StandardRule standard
        ? standard.with(threshold)
        : rule;
  }

  private static List<Finding> deadLetters(Signals signals, double threshold) {
    var dead = signals.overview().dead();
    Severity severity = dead.count() >= DEAD_CRITICAL ? Severity.CRITICAL : Severity.WARNING;
    return counted(
        dead.count(), threshold, severity, "Dead letters waiting for a person: " + shown(dead));
  }

  private static List<Finding> deadRate(Signals signals, double threshold) {
    var dead = signals.overview().deadLately();
    return counted(
        dead.count(),
        threshold,
        Severity.CRITICAL,
        "Messages that died within %s: %s".formatted(whole(Overview.LATELY), shown(dead)));
  }

  private static List<Finding> stuckKeys(Signals signals, double threshold) {
    var stuck = signals.overview().stuck();
    return counted(
        stuck.count(),
        threshold,
        Severity.WARNING,
        "Keys that stand still after %d attempts or more, with messages behind them: %s"
            .formatted(Overview.STUCK_ATTEMPTS, shown(stuck)));
  }

  private static List<Finding> noOwner(Signals signals, double threshold) {
    var partitions = signals.relay().partitions();
    if (partitions.isEmpty() && signals.overview().waiting().count() > 0) {
      return from(
          Math.max(1, threshold),
          threshold,
          Severity.CRITICAL,
          "Messages wait, and no relay has ever run here");
    }
    long alone = partitions.stream().filter(each -> each.node() == null || !each.live()).count();
    return counted(
        alone,
        threshold,
        Severity.CRITICAL,
        "Partitions without a live node: %d of %d".formatted(alone, partitions.size()));
  }

  private static List<Finding> silentNodes(Signals signals, double threshold) {
    Stream<Finding> byHeartbeat =
        signals.relay().nodes().stream()
            .filter(node -> node.leaseLeft().isNegative() && !node.node().isEmpty())
            .filter(node -> node.leaseLeft().negated().toSeconds() >= threshold)
            .map(
                node ->
                    new Finding(
                        node.node(),
                        Severity.WARNING,
                        node.leaseLeft().negated().toSeconds(),
                        "The heartbeat of node %s ended %s ago"
                            .formatted(node.node(), whole(node.leaseLeft().negated()))));
    return Stream.concat(byHeartbeat, BoardRules.silent(signals, threshold).stream()).toList();
  }

  private static List<Finding> restingNodes(Signals signals, double threshold) {
    return signals.relay().nodes().stream()
        .filter(node -> !node.takingPart() && !node.leaseLeft().isNegative())
        .filter(node -> !node.node().isEmpty())
        .map(
            node ->
                new Finding(
                    node.node(),
                    Severity.WARNING,
                    threshold,
                    "Node %s rests after failures".formatted(node.node())))
        .toList();
  }

  private static List<Finding> faults(Signals signals, double threshold) {
    int count = signals.faults().size();
    return count < threshold
        ? List.of()
        : List.of(
            new Finding(
                signals.node(), Severity.WARNING, count, String.join("; ", signals.faults())));
  }

  private static List<Finding> openCircuits(Signals signals, double threshold) {
    List<Finding> found = new ArrayList<>(BoardRules.circuits(signals, threshold));
    Set<String> told = new HashSet<>();
    found.forEach(each -> told.add(each.subject()));
    BoardRules.noTransport(signals, 0).forEach(each -> told.add(each.subject()));
    signals
        .circuits()
        .forEach(
            (destination, state) -> {
              String subject = cut(ShownAddress.of(destination.toString()));
              boolean open = state == CircuitState.OPEN || state == CircuitState.HALF_OPEN;
              if (open && told.add(subject)) {
                found.add(
                    new Finding(
                        subject,
                        Severity.CRITICAL,
                        threshold,
                        "The circuit of %s is open".formatted(subject)));
              }
            });
    return found;
  }

  private static List<Finding> unresolved(Signals signals, double threshold) {
    var half = signals.half();
    return half == null
        ? List.of()
        : counted(
            half.unresolved(),
            threshold,
            Severity.CRITICAL,
            "Half messages waiting for a person: " + half.unresolved());
  }

  private static List<Finding> unasked(Signals signals, double threshold) {
    var half = signals.half();
    return half == null
        ? List.of()
        : counted(
            half.overdue(),
            threshold,
            Severity.CRITICAL,
            "Half messages that should have been asked for and were not: " + half.overdue());
  }

  private static List<Finding> undecided(Signals signals, double threshold) {
    var half = signals.half();
    return half == null
        ? List.of()
        : counted(
            half.asked(),
            threshold,
            Severity.WARNING,
            "Half messages asked for and not decided: " + half.asked());
  }

  private static List<Finding> clocks(Signals signals, double threshold) {
    Duration skew = Duration.between(signals.now(), signals.clock()).abs();
    List<Finding> found = new ArrayList<>(BoardRules.clocks(signals, threshold));
    boolean told = found.stream().anyMatch(each -> each.subject().equals(cut(signals.node())));
    if (skew.toMillis() / 1e3 > threshold && !told) {
      found.add(
          new Finding(
              signals.node(),
              Severity.WARNING,
              skew.toMillis() / 1e3,
              "The clock of %s and that of its database differ by %s"
                  .formatted(signals.node(), whole(skew))));
    }
    return found;
  }

  static List<Finding> counted(long count, double threshold, Severity severity, String text) {
    return from((double) count, threshold, severity, text);
  }

  static List<Finding> from(double value, double threshold, Severity severity, String text) {
    return value < threshold ? List.of() : List.of(Finding.ofOutbox(severity, value, text));
  }

  static String shown(BoundedCount count) {
    return count.atLeast() ? count.count() + " or more" : Long.toString(count.count());
  }

  static String cut(String subject) {
    return UnicodeText.cut(subject, AlertKey.SUBJECT_LENGTH_MAX);
  }

  static String whole(Duration time) {
    return DurationText.of(time.truncatedTo(ChronoUnit.SECONDS));
  }
}
