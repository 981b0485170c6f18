package io.angarium.alert;

import io.angarium.ConfigFaults;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.alert.signal.Signals;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for trouble and tells persons of it, on one node at a time. What was not noted as told is
 * told again by whichever node has the next turn: at least once. Thread-safe.
 */
public final class AlertEngine implements BackgroundWork, AutoCloseable {
  /** The time between two rounds, and between two messages of one channel. */
  public static final Duration PAUSE = Duration.ofSeconds(15);

  /** Another node takes the turn of one that has not looked for so long. */
  static final Duration LEASE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(AlertEngine.class);

  private final AlertStore store;
  private final Supplier<Signals> signals;
  private final Map<AlertRule, RuleSettings> rules;
  private final String node;
  private final AlertListener listener;
  private final TimeSource time;
  private final ChannelThreads channels;
  private final ChannelThreads.DatabaseAway away;
  private final RepeatingTask task;
  private final Set<String> thrown = new HashSet<>();
  private long token = -1;

  private AlertEngine(Builder builder) {
    this.store = builder.store;
    this.signals = builder.signals;
    this.rules = builder.rules();
    this.node = builder.node;
    this.listener = builder.listener;
    this.time = builder.time;
    this.channels =
        new ChannelThreads(builder.routes, builder.system, builder.link, store, listener);
    this.away = new ChannelThreads.DatabaseAway(node, time, channels);
    this.task = new RepeatingTask("angarium-alerts", "The look for alerts", PAUSE, this::round);
  }

  /** Begins an engine on the alerts of one database. */
  public static Builder builder(AlertStore store, Supplier<Signals> signals) {
    return new Builder(store, signals);
  }

  /** Starts its thread. */
  public void start() {
    task.start(PAUSE);
  }

  /**
   * Does one round on the caller's thread, which waits for the channels. For tests; not to be mixed
   * with {@link #start}. Blocks.
   */
  public void runOnce() {
    round();
    channels.await();
  }

  private void round() {
    try {
      look();
      away.answered();
    } catch (StoreException e) {
      away.failed();
      throw e;
    }
  }

  private void look() {
    AlertStore.Turn turn = store.begin(node, LEASE);
    if (turn == null) {
      hear(List.of()); // another node shows them
      return;
    }
    Set<String> busy = channels.busy(); // others may note meanwhile what they told
    AlertStore.Known known = store.known();
    AlertChanges changes = new AlertChanges(known.alerts(), turn.now());
    ask(changes);
    boolean same = changes.changed().isEmpty() && changes.deleted().isEmpty();
    if (!same && !store.save(turn, changes.changed(), changes.deleted())) {
      return;
    }
    List<Alert> after = changes.after();
    hear(after);
    DueNotices.Seen seen = new DueNotices.Seen(known.told(), turn.now());
    Set<String> resting = turn.token() == token ? Set.of() : seen.toldWithin(PAUSE);
    token = turn.token();
    if (channels.anyDue(route -> due(route, seen, List.of(), after))) {
      List<Silence> silences = store.silences();
      channels.tell(
          busy,
          resting, // of the node that had the turn before
          route -> due(route, seen, silences, after));
    }
  }

  private DueNotices due(
      AlertRoute route, DueNotices.Seen seen, List<Silence> silences, List<Alert> alerts) {
    return new DueNotices(route, seen, silences, this::repeat, this::meaning).of(alerts);
  }

  private void ask(AlertChanges changes) {
    Signals seen = signals.get();
    Set<String> asked = new HashSet<>();
    rules.forEach(
        (rule, settings) -> {
          asked.add(rule.name());
          Duration given = settings.hold();
          Duration hold = given == null ? rule.hold() : given;
          List<Finding> found = settings.enabled() ? found(rule, settings, seen) : List.of();
          if (found != null) {
            changes.look(rule.name(), hold, found);
          }
        });
    changes.after().stream()
        .map(alert -> alert.key().rule())
        .filter(rule -> !asked.contains(rule))
        .distinct()
        .forEach(gone -> changes.look(gone, Duration.ZERO, List.of()));
  }

  /** What a rule finds; null if it failed. */
  private @Nullable List<Finding> found(AlertRule rule, RuleSettings settings, Signals seen) {
    try {
      List<Finding> found = rule.look(seen);
      found.forEach(finding -> new AlertKey(rule.name(), finding.subject()));
      thrown.remove(rule.name());
      Severity severity = settings.severity();
      return severity == null
          ? found
          : found.stream()
              .map(each -> new Finding(each.subject(), severity, each.value(), each.text()))
              .toList();
    } catch (RuntimeException e) {
      if (thrown.add(rule.name())) {
        LOG.warn("The rule {} of alerts failed; its alerts stay as they are", rule.name(), e);
      }
      return null;
    }
  }

  private void hear(List<Alert> alerts) {
    rules
        .keySet()
        .forEach(
            rule ->
                Stream.of(Severity.values())
                    .forEach(
                        severity ->
                            listener.firing(
                                rule.name(), severity, firing(alerts, rule, severity))));
  }

  private static int firing(List<Alert> alerts, AlertRule rule, Severity severity) {
    return (int)
        alerts.stream()
            .filter(alert -> alert.state() == AlertState.FIRING)
            .filter(alert -> alert.severity() == severity)
            .filter(alert -> alert.key().rule().equals(rule.name()))
            .count();
  }

  private Duration repeat(AlertKey key) {
    return rule(key).map(entry -> entry.getValue().repeat()).orElse(RuleSettings.DEFAULTS.repeat());
  }

  private String meaning(AlertKey key) {
    return rule(key).map(entry -> entry.getKey().meaning()).orElse("");
  }

  private Optional<Map.Entry<AlertRule, RuleSettings>> rule(AlertKey key) {
    return rules.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(key.rule()))
        .findFirst();
  }

  /**
   * Sends a marked notice by one channel, unless it is telling something or was tested within
   * {@link #PAUSE}. Blocks for as long as the channel does.
   *
   * @return empty if it was told, or why it was not
   * @throws IllegalArgumentException if there is no channel of that name
   */
  public Optional<String> test(String channel) {
    return channels.test(channel, time);
  }

  /** The names of the channels. */
  public List<String> channels() {
    return channels.names();
  }

  /** Why the look for alerts fails, or which channel has failed several times. */
  @Override
  public Optional<String> fault() {
    return task.fault().or(channels::fault);
  }

  /** Ends after the round that runs, and gives the turn to other nodes. May be called twice. */
  @Override
  public void close() {
    boolean first = !task.isClosed();
    task.close();
    channels.close();
    if (first) {
      try {
        store.end(node);
      } catch (StoreException e) {
        LOG.debug("The turn of looking for alerts was not given back; it ends by itself", e);
      }
    }
  }

  /** What an engine needs. Not thread-safe. */
  public static final class Builder {
    private final AlertStore store;
    private final Supplier<Signals> signals;
    private final List<AlertRule> added = new ArrayList<>();
    private final Map<String, RuleSettings> settings = new LinkedHashMap<>();
    private final List<AlertRoute> routes = new ArrayList<>();
    private String node = "node";
    private String system = "outbox";
    private @Nullable String link;
    private AlertListener listener = AlertListener.NONE;
    private TimeSource time = TimeSource.SYSTEM;

    private Builder(AlertStore store, Supplier<Signals> signals) {
      this.store = store;
      this.signals = signals;
    }

    /** Adds a rule of your own. */
    public Builder rule(AlertRule rule) {
      added.add(rule);
      return this;
    }

    /** Says how a rule is used. */
    public Builder settings(String rule, RuleSettings given) {
      settings.put(rule, given);
      return this;
    }

    /** Adds a channel. */
    public Builder route(AlertRoute route) {
      routes.add(route);
      return this;
    }

    /** Names this process, for turns; no other one may have the same name. */
    public Builder node(String name) {
      this.node = name;
      return this;
    }

    /** Names the system in notices, e.g. the application. */
    public Builder system(String name) {
      this.system = name;
      return this;
    }

    /** Says where alerts are seen, for notices. */
    public Builder link(@Nullable String address) {
      this.link = address;
      return this;
    }

    /** Adds who hears of alerts; must not throw. */
    public Builder listener(AlertListener heard) {
      this.listener = heard;
      return this;
    }

    /** Sets the clock. */
    public Builder time(TimeSource source) {
      this.time = source;
      return this;
    }

    private Map<AlertRule, RuleSettings> rules() {
      Map<AlertRule, RuleSettings> all = new LinkedHashMap<>();
      Stream.concat(StandardRules.all().stream(), added.stream())
          .forEach(
              rule -> {
                RuleSettings given = settings.getOrDefault(rule.name(), RuleSettings.DEFAULTS);
                all.put(StandardRules.with(rule, given.threshold()), given);
              });
      return all;
    }

    /**
     * Makes it; nothing runs before {@link AlertEngine#start}.
     *
     * @throws io.angarium.ConfigurationException naming every fault
     */
    public AlertEngine build() {
      ConfigFaults faults = new ConfigFaults();
      Set<String> names = new HashSet<>();
      Stream.concat(StandardRules.all().stream(), added.stream())
          .map(AlertRule::name)
          .forEach(name -> unique(faults, names, "alerts.rules", name));
      Collection<String> unknown = new ArrayList<>(settings.keySet());
      unknown.removeAll(names);
      unknown.forEach(
          name ->
              faults.require(
                  false, "alerts.rules", name, "the name of a rule, one of " + sorted(names)));
      settings.forEach((name, given) -> check(faults, name, given));
      Set<String> channels = new HashSet<>();
      routes.forEach(route -> unique(faults, channels, "alerts.channels", route.channel().name()));
      faults.throwIfAny();
      return new AlertEngine(this);
    }

    private static void unique(ConfigFaults faults, Set<String> names, String what, String name) {
      faults.require(names.add(name), what, name, "a name that no other one has");
      faults.require(
          AlertKey.isName(name), what, name, "1..64 lower-case letters, digits and hyphens");
    }

    private static List<String> sorted(Set<String> names) {
      return names.stream().sorted().toList();
    }

    private static void check(ConfigFaults faults, String rule, RuleSettings given) {
      String name = "alerts.rules." + rule;
      Double threshold = given.threshold();
      double max = StandardRules.thresholdMax(rule);
      faults.require(
          threshold == null || (threshold >= 0 && threshold <= max),
          name + ".threshold",
          threshold,
          max == Double.MAX_VALUE ? "0 or more" : "0..%.0f, where counts end".formatted(max));
      Duration hold = given.hold();
      if (hold != null) {
        faults.range(name + ".hold", hold, Duration.ZERO, Duration.ofDays(1));
      }
      faults.range(name + ".repeat", given.repeat(), Duration.ofMinutes(1), Duration.ofDays(30));
    }
  }
}
