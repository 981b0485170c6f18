package io.angarium.half.check;

import io.angarium.ConfigFaults;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessages;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckStore.Claimed;
import io.angarium.internal.DurationText;
import io.angarium.store.internal.RefusedRows;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the producers of half messages that stay prepared what became of their business
 * transactions, and commits or rolls them back accordingly. Every node may have one: each question
 * is asked by one of them. Nobody is asked while a transaction of the database is open, and an
 * endpoint that cannot be reached holds up no other.
 *
 * <p>{@link #start} runs it on a thread of its own; {@link #runOnce} does one round on the caller's
 * thread instead, for tests. Thread-safe.
 */
public final class CheckBackLoop implements BackgroundWork, CheckBackTrial, AutoCloseable {
  /** Claims that are in the memory of one node. */
  private static final int HELD_MAX = 5_000;

  /** Claims of one round, in pages. */
  private static final int PAGES_MAX = 20;

  /** What waits for an endpoint that is probed is put off for as long at least. */
  private static final Duration REST_MIN = Duration.ofSeconds(5);

  /** A refused row that did not come again for so long is another node's, or decided. */
  private static final Duration REFUSED_KEPT = Duration.ofMinutes(5);

  /** How often a wait for answers looks if it is closed. */
  private static final Duration CLOSED_LOOK = Duration.ofMillis(100);

  private static final Logger LOG = LoggerFactory.getLogger(CheckBackLoop.class);

  private final CheckStore store;
  private final CheckBackConfig config;
  private final CheckPauses pauses;
  private final HalfListener listener;
  private final TimeSource time;
  private final StalePreparedSearch search;
  private final GiveUpAlerts alerts;
  private final RefusedRows<HalfKey> refused;
  private final CheckOutcomes outcomes;
  private final LocalThreads ownThreads;
  private final Endpoints endpoints;
  private final SingleQuestions trials;
  private final RepeatingTask rounds;
  private final BlockingQueue<Question> answered = new LinkedBlockingQueue<>();
  private final Set<Question> underWay = new LinkedHashSet<>();

  /**
   * Number of questions under way that the loop still waits for. A question past its time-out no
   * longer counts.
   */
  private int awaited;

  private int turn;

  private CheckBackLoop(Builder builder) {
    this.store = builder.store;
    this.config = builder.config;
    this.pauses = new CheckPauses(config.pauses());
    this.listener = HalfListener.all(() -> builder.listeners);
    this.time = builder.time;
    this.search = new StalePreparedSearch(store, config, time);
    this.refused =
        new RefusedRows<>(
            "record what came of the check-back of half message",
            "It is asked for again, and stays as it is.",
            config.claim().multipliedBy(2).plus(REFUSED_KEPT),
            time);
    this.alerts = new GiveUpAlerts(store, listener, time, refused);
    this.outcomes =
        new CheckOutcomes(builder.half, store, alerts, pauses, config.unknownMax(), refused);
    this.ownThreads = new LocalThreads(builder.checkBacks.size(), config.questionsMax());
    Executor threads = builder.threads == null ? ownThreads : builder.threads;
    Askers askers = new Askers(builder.checkBacks, builder.transports, threads);
    this.endpoints = new Endpoints(askers, config.questionsMax());
    this.trials = new SingleQuestions(askers, config.timeout());
    this.rounds =
        new RepeatingTask(
            "angarium-check-back",
            "The check-back of half messages",
            config.interval(),
            this::roundOfThread);
  }

  /** Begins to put one together, which asks nobody as it is. */
  public static Builder builder(HalfMessages half, CheckStore store) {
    return new Builder(half, store);
  }

  /** Starts the thread, a daemon. Does nothing if it was started or closed before. */
  public void start() {
    LOG.info(
        "Check-back of half messages started: first question after {}, {} questions at a time,"
            + " answers within {}",
        DurationText.of(config.pauses().first()),
        config.questionsInAllMax(),
        DurationText.of(config.timeout()));
    rounds.start(Duration.ZERO);
  }

  /**
   * Does one round on the caller's thread: takes in the answers that are there, looks for what is
   * due and asks. For tests; not to be mixed with {@link #start}. Blocks for the database, not for
   * answers.
   *
   * @throws io.angarium.StoreException if the database cannot be reached or refuses; what was not
   *     written is asked for again
   */
  public synchronized void runOnce() {
    settle();
    expire();
    settle();
    Optional<StoreException> failure = search();
    long now = time.nanoTime();
    endpoints.all().forEach(endpoint -> endpoint.expire(now));
    boolean more = true;
    for (int page = 0; more && page < PAGES_MAX; page++) {
      more = claim();
      ask();
      settle();
    }
    endpoints.tidy(time.nanoTime()).forEach(listener::endpointForgotten);
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** What is listed already is asked for, whatever becomes of the search. */
  private Optional<StoreException> search() {
    Optional<StoreException> ofAlerts = failure(alerts::round);
    Optional<StoreException> ofSearch = failure(search::round);
    return ofAlerts.isPresent() ? ofAlerts : ofSearch;
  }

  private static Optional<StoreException> failure(Runnable work) {
    try {
      work.run();
      return Optional.empty();
    } catch (StoreException e) {
      return Optional.of(e);
    }
  }

  private void roundOfThread() throws InterruptedException {
    do {
      runOnce();
      rounds.worked();
      awaitAnswers();
    } while (isBusy() && !rounds.isClosed());
  }

  private boolean isBusy() {
    return endpoints.all().stream().anyMatch(Endpoint::isBusy);
  }

  /** Takes answers in, and asks for what waits, until it is time to look for what is due. */
  private void awaitAnswers() throws InterruptedException {
    long endNanos = time.nanoTime() + config.interval().toNanos();
    long left = config.interval().toNanos();
    while (left > 0 && isBusy() && !rounds.isClosed()) {
      long some = Math.min(left, CLOSED_LOOK.toNanos());
      Question question = answered.poll(some, TimeUnit.NANOSECONDS);
      if (question != null && !rounds.isClosed()) {
        answered.add(question);
        settle();
      }
      left = endNanos - time.nanoTime();
    }
  }

  private boolean claim() {
    int held = endpoints.all().stream().mapToInt(Endpoint::waitingKeys).sum();
    int limit = Math.min(HELD_MAX - held, CheckStore.BATCH_MAX);
    if (limit <= 0) {
      return false;
    }
    long untilNanos = time.nanoTime() + config.claim().minus(config.timeout()).toNanos();
    Claimed claimed = store.claim(limit, config.claim());
    Map<Origin, List<DueCheck>> tooMany = new LinkedHashMap<>();
    for (DueCheck check : claimed.checks()) {
      Endpoint endpoint = endpoints.of(check);
      if (endpoint.isFull()) {
        tooMany.computeIfAbsent(endpoint.origin(), full -> new ArrayList<>()).add(check);
      } else {
        endpoint.add(check, untilNanos);
      }
    }
    long now = time.nanoTime();
    tooMany.forEach((origin, checks) -> putOff(checks, origin.overflow(now, pauses)));
    return claimed.more();
  }

  /** Asks as much as every endpoint bears; what rests is put off without a question. */
  private void ask() {
    if (rounds.isClosed()) {
      return;
    }
    List<Endpoint> all = endpoints.all();
    int begin = all.isEmpty() ? 0 : turn % all.size();
    Collections.rotate(all, -begin);
    while (askOneOfEach(all, begin)) {
      // until they have no more to be asked, or bear no more
    }
    long now = time.nanoTime();
    Map<Duration, List<DueCheck>> resting = new LinkedHashMap<>(); // an origin has many endpoints
    for (Endpoint endpoint : all) {
      if (endpoint.rests(now) && endpoint.waitingKeys() > 0) {
        alertIfLong(endpoint, now);
        Duration rest = endpoint.rest(now, REST_MIN);
        resting.computeIfAbsent(rest, none -> new ArrayList<>()).addAll(endpoint.drain());
      }
    }
    resting.forEach((rest, checks) -> putOff(checks, rest));
  }

  /** Where there are fewer places than endpoints, the next time begins where this one ended. */
  private boolean askOneOfEach(List<Endpoint> all, int begin) {
    boolean asked = false;
    for (int i = 0; i < all.size() && awaited < config.questionsInAllMax(); i++) {
      long now = time.nanoTime();
      List<DueCheck> next = all.get(i).next(now);
      if (!next.isEmpty()) {
        ask(new Question(all.get(i), next, now));
        asked = true;
        turn = (begin + i + 1) % all.size();
      }
    }
    return asked;
  }

  private void ask(Question question) {
    underWay.add(question);
    awaited++;
    try {
      CompletionStage<List<CheckAnswer>> stage = question.endpoint().asker().ask(question.keys());
      stage.whenComplete((answers, failure) -> answered(question, answers, failure));
    } catch (RuntimeException | LinkageError e) {
      answered(question, null, e);
    }
  }

  private void answered(
      Question question, @Nullable List<CheckAnswer> answers, @Nullable Throwable failure) {
    question.answered(answers, failure, time.nanoTime());
    answered.add(question);
  }

  private void putOff(List<DueCheck> checks, Duration pause) {
    for (int from = 0; from < checks.size(); from += CheckStore.BATCH_MAX) {
      int to = Math.min(from + CheckStore.BATCH_MAX, checks.size());
      List<DueCheck> some = checks.subList(from, to);
      refused.write(some, DueCheck::key, part -> store.putOff(part, pause));
    }
  }

  /** What is not answered in time counts as unreachable; its place is taken until it is. */
  private void expire() {
    long now = time.nanoTime();
    for (Question question : underWay) {
      boolean late = now - question.askedNanos() >= config.timeout().toNanos();
      if (late && !answered.contains(question) && question.settle()) {
        settle(
            question,
            question.unreachable("no answer within " + DurationText.of(config.timeout())));
      }
    }
  }

  /** Writes the answers that are there, and asks on where there is room again. */
  private void settle() {
    List<Question> ended = new ArrayList<>();
    do {
      ended.clear();
      answered.drainTo(ended);
      for (Question question : ended) {
        underWay.remove(question);
        question.endpoint().ended();
        if (question.settle()) {
          settle(question, question.answers());
        }
      }
      outcomes.write();
      ask();
    } while (!answered.isEmpty());
  }

  private void settle(Question question, List<CheckAnswer> answers) {
    awaited--;
    question.endpoint().origin().settled();
    boolean reached = false;
    for (int i = 0; i < answers.size(); i++) {
      DueCheck check = question.checks().get(i);
      CheckAnswer answer = answers.get(i);
      LOG.debug("Half message {}: its producer answers {}", check.key(), answer);
      outcomes.add(check, answer);
      listener.checked(check.key(), answer);
      reached |= answer.verdict() != Verdict.UNREACHABLE;
    }
    if (reached) {
      reached(question.endpoint());
    } else {
      unreachable(question, answers.get(0));
    }
  }

  private void reached(Endpoint endpoint) {
    if (endpoint.reached()) {
      again(endpoint.name());
    }
    wake(endpoint.origin());
    if (endpoint.origin().reached()) {
      again(endpoint.origin().name());
    }
  }

  private void wake(Origin origin) {
    if (origin.outage().isOn()) {
      endpoints.wake(origin);
    }
  }

  private void again(String name) {
    LOG.info("Check-backs to {} are answered again", name);
    listener.endpointReachable(name);
  }

  private void unreachable(Question question, CheckAnswer answer) {
    long now = time.nanoTime();
    String reason = answer.reason() == null ? "no reason given" : answer.reason();
    Endpoint endpoint = question.endpoint();
    if (question.wasSilent(Origin.SILENT_AFTER)) {
      endpoint.origin().silent(endpoint, now, pauses, reason);
    } else {
      wake(endpoint.origin());
      endpoint.origin().spoke();
    }
    endpoint.unreachable(now, pauses, reason);
    alertIfLong(endpoint, now);
  }

  /**
   * Reports an origin that rests once, and does not report its single addresses until it is back.
   */
  private void alertIfLong(Endpoint endpoint, long now) {
    Origin origin = endpoint.origin();
    if (origin.outage().isOn()) {
      alertIfLong(origin.name(), origin.outage(), now);
    } else if (!origin.outage().isTold()) {
      alertIfLong(endpoint.name(), endpoint.outage(), now);
    }
  }

  private void alertIfLong(String name, Outage outage, long now) {
    if (outage.isToBeTold(now, config.alertAfter())) {
      Duration since = outage.lasts(now);
      LOG.warn(
          "Check-backs to {} have found nobody for {}: {}; its half messages wait and are asked"
              + " for again",
          name,
          DurationText.of(since.truncatedTo(ChronoUnit.SECONDS)),
          outage.reason());
      listener.endpointUnreachable(name, since, outage.reason());
    }
  }

  @Override
  public CheckAnswer tryOut(HalfKey key, @Nullable String address) {
    return trials.tryOut(key, address);
  }

  /**
   * What keeps half messages from being asked for, for a health check: rounds fail, one does not
   * end, or the database refuses to record what came of some.
   *
   * @return empty if nothing does
   */
  @Override
  public Optional<String> fault() {
    return rounds.fault().or(refused::fault).or(store::fault);
  }

  /**
   * Ends the thread; waits five seconds at most. What it was about to ask another node asks after a
   * time, see {@link CheckBackConfig#claim}. The transports stay open. May be called twice.
   */
  @Override
  public void close() {
    rounds.close();
    ownThreads.close();
  }

  /** Puts one together. Not thread-safe: one thread at a time. */
  public static final class Builder {
    private final HalfMessages half;
    private final CheckStore store;
    private final Map<String, CheckBack> checkBacks = new HashMap<>();
    private final List<CheckBackTransport> transports = new ArrayList<>();
    private final List<HalfListener> listeners = new ArrayList<>();
    private CheckBackConfig config = CheckBackConfig.DEFAULTS;
    private TimeSource time = TimeSource.SYSTEM;
    private @Nullable Executor threads;

    private Builder(HalfMessages half, CheckStore store) {
      this.half = half;
      this.store = store;
    }

    /** The settings; by default {@link CheckBackConfig#DEFAULTS}. */
    public Builder config(CheckBackConfig config) {
      this.config = config;
      return this;
    }

    /** Who is asked in this process for half messages of a business that bring no address. */
    public Builder checkBack(String business, CheckBack checkBack) {
      checkBacks.put(business, checkBack);
      return this;
    }

    /** Over what producers are asked; one for each scheme. The caller closes it. */
    public Builder transport(CheckBackTransport transport) {
      transports.add(transport);
      return this;
    }

    /** Hears what happens; may be called for several. */
    public Builder listener(HalfListener listener) {
      listeners.add(listener);
      return this;
    }

    /** Sets the clocks; by default the clocks of the JVM. */
    public Builder time(TimeSource time) {
      this.time = time;
      return this;
    }

    /** What runs the check-backs of this process; by default threads of its own. */
    Builder threads(Executor threads) {
      this.threads = threads;
      return this;
    }

    /**
     * Creates it; nothing runs before {@link CheckBackLoop#start}.
     *
     * @throws io.angarium.ConfigurationException if two transports have the same scheme
     */
    public CheckBackLoop build() {
      ConfigFaults faults = new ConfigFaults();
      Set<String> schemes = new HashSet<>();
      transports.stream()
          .map(CheckBackTransport::schemes)
          .flatMap(Collection::stream)
          .filter(scheme -> !schemes.add(scheme))
          .forEach(
              scheme ->
                  faults.add("check-back scheme: " + scheme + " twice (expected: one transport)"));
      faults.throwIfAny();
      return new CheckBackLoop(this);
    }
  }
}
