package io.angarium.alert;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channels, each with a thread of its own while it tells: one that hangs holds up no other.
 * Called by one thread but where it says otherwise.
 */
final class ChannelThreads implements AutoCloseable {
  /** So many tries in a row that fail are a fault. */
  private static final int TRIES = 3;

  private static final Duration PAUSE = AlertEngine.PAUSE;
  private static final String NOTHING_TO_DO = "Nothing has to be done.";

  private static final Logger LOG = LoggerFactory.getLogger(ChannelThreads.class);

  private final List<AlertRoute> routes;
  private final String system;
  private final @Nullable String link;
  private final AlertStore store;
  private final AlertListener listener;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "angarium-alert-channel");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<String, Future<?>> telling = new ConcurrentHashMap<>();

  /** How often in a row it failed, and why the last time. */
  private record Failed(int times, String why) {}

  private final Map<String, Failed> failed = new ConcurrentHashMap<>();

  /** Lets one thread at a time tell something by a channel. */
  private static final class Turn {
    private final ReentrantLock lock = new ReentrantLock();
    private boolean tested;
    private long testedAt;

    ReentrantLock lock() {
      return lock;
    }

    /** Called by the thread that has the lock. */
    boolean mayTest(long now) {
      boolean may = !tested || now - testedAt >= PAUSE.toNanos();
      if (may) {
        tested = true;
        testedAt = now;
      }
      return may;
    }
  }

  private final Map<String, Turn> turns = new ConcurrentHashMap<>();

  private Turn turn(AlertRoute route) {
    return turns.computeIfAbsent(name(route), name -> new Turn());
  }

  ChannelThreads(
      List<AlertRoute> routes,
      String system,
      @Nullable String link,
      AlertStore store,
      AlertListener listener) {
    this.routes = List.copyOf(routes);
    this.system = system;
    this.link = link;
    this.store = store;
    this.listener = listener;
  }

  /** The names of the channels that tell something now. */
  Set<String> busy() {
    return routes.stream()
        .filter(this::isTelling)
        .map(ChannelThreads::name)
        .collect(Collectors.toSet());
  }

  /** Whether some channel is to be told something, silences aside. */
  boolean anyDue(Function<AlertRoute, DueNotices> look) {
    return routes.stream().anyMatch(route -> !look.apply(route).first().isEmpty());
  }

  /**
   * Tells channels what is due.
   *
   * @param busy those that told something when it was read what they have told
   * @param resting those that have told something so lately that they tell nothing now
   */
  void tell(Set<String> busy, Set<String> resting, Function<AlertRoute, DueNotices> look) {
    List<Told> silenced = new ArrayList<>();
    for (AlertRoute route : routes) {
      if (busy.contains(name(route))) {
        failed(route, "it has not ended to tell what was due before");
      } else if (!resting.contains(name(route))) {
        DueNotices due = look.apply(route);
        silenced.addAll(due.silenced());
        List<Notice> first = due.first();
        if (!first.isEmpty()) {
          begin(route, () -> tell(route, due, first));
        }
      }
    }
    if (!silenced.isEmpty()) {
      store.note(silenced);
    }
  }

  /** Tells the channels that need no database, and notes nothing. */
  void tellDirectly(Notice notice) {
    for (AlertRoute route : routes) {
      if (route.channel().direct()
          && route.wants(notice.alert().key(), notice.alert().severity())
          && !isTelling(route)) {
        begin(route, () -> send(route, new Notices(system, List.of(notice), 0, link)));
      }
    }
  }

  private boolean isTelling(AlertRoute route) {
    Future<?> last = telling.get(route.channel().name());
    return last != null && !last.isDone();
  }

  private void begin(AlertRoute route, Runnable work) {
    telling.put(route.channel().name(), threads.submit(work));
  }

  private void tell(AlertRoute route, DueNotices due, List<Notice> notices) {
    String why = send(route, new Notices(system, notices, due.more(), link));
    try {
      store.note(why == null ? due.told(notices) : due.failed(notices, why));
    } catch (StoreException e) {
      LOG.debug("What channel {} was told is not noted; it is told again", name(route), e);
    }
  }

  /** Null if it was told, or why not. */
  private @Nullable String send(AlertRoute route, Notices notices) {
    ReentrantLock lock = turn(route).lock();
    lock.lock();
    try {
      route.channel().send(notices);
      if (failed.remove(name(route)) != null) {
        LOG.info("Alerts are told again by channel {}", name(route));
      }
      listener.told(name(route), true);
      return null;
    } catch (IOException | RuntimeException e) {
      String why = String.valueOf(e.getMessage());
      failed(route, why);
      listener.told(name(route), false);
      return why;
    } finally {
      lock.unlock();
    }
  }

  private void failed(AlertRoute route, String why) {
    Failed now =
        failed.merge(
            name(route), new Failed(1, why), (old, one) -> new Failed(old.times() + 1, why));
    if (now.times() == TRIES) {
      LOG.warn("Alerts cannot be told by channel {}; it is tried again: {}", name(route), why);
    }
  }

  Optional<String> fault() {
    return failed.entrySet().stream()
        .filter(entry -> entry.getValue().times() >= TRIES)
        .map(entry -> "Alerts cannot be told by %s: %s".formatted(entry.getKey(), why(entry)))
        .findFirst();
  }

  private static String why(Map.Entry<String, Failed> entry) {
    return entry.getValue().why();
  }

  /** Tries a channel, not more often than it tells anything else. May be called by any thread. */
  Optional<String> test(String channel, TimeSource time) {
    AlertRoute route =
        routes.stream()
            .filter(each -> name(each).equals(channel))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "channel: '%s' (expected: one of %s)".formatted(channel, names())));
    Turn turn = turn(route);
    if (!turn.lock().tryLock()) {
      return Optional.of("it is telling something right now; try again");
    }
    try {
      if (!turn.mayTest(time.nanoTime())) {
        return Optional.of(
            "it was tested less than %s ago; try again".formatted(DurationText.of(PAUSE)));
      }
      Notice notice = new Notice(Notice.Kind.TEST, tested(channel, time.instant()), NOTHING_TO_DO);
      route.channel().send(new Notices(system, List.of(notice), 0, link));
      return Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } finally {
      turn.lock().unlock();
    }
  }

  private static Alert tested(String channel, Instant now) {
    return new Alert(
        new AlertKey("test", AlertKey.OUTBOX),
        AlertState.FIRING,
        Severity.INFO,
        0,
        "This is a test: somebody tries the channel " + channel,
        1,
        now,
        null,
        null,
        null);
  }

  List<String> names() {
    return routes.stream().map(ChannelThreads::name).toList();
  }

  private static String name(AlertRoute route) {
    return route.channel().name();
  }

  /** Waits until all have told. */
  void await() {
    for (Future<?> each : telling.values()) {
      try {
        each.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException e) {
        throw new IllegalStateException("a channel failed in a way nobody expected", e);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  /**
   * Tells by direct channels that the database of the alerts cannot be asked, which no other node
   * can know. One thread.
   */
  static final class DatabaseAway {
    static final Duration HOLD = Duration.ofMinutes(1);

    private static final String RULE = "database-away";
    private static final String MEANING =
        "Nothing is sent from here while it lasts, and nobody looks for other alerts. Each node tells"
            + " this for itself.";

    private final String node;
    private final TimeSource time;
    private final ChannelThreads channels;
    private @Nullable Instant since;
    private long sinceNanos;
    private boolean told;

    DatabaseAway(String node, TimeSource time, ChannelThreads channels) {
      this.node = node;
      this.time = time;
      this.channels = channels;
    }

    void failed() {
      if (since == null) {
        since = time.instant();
        sinceNanos = time.nanoTime();
      }
      if (!told && time.nanoTime() - sinceNanos >= HOLD.toNanos()) {
        told = true;
        channels.tellDirectly(new Notice(Notice.Kind.FIRING, alert(since, null), MEANING));
      }
    }

    void answered() {
      Instant began = since;
      since = null;
      if (told && began != null) {
        told = false;
        channels.tellDirectly(
            new Notice(Notice.Kind.RESOLVED, alert(began, time.instant()), MEANING));
      }
    }

    private Alert alert(Instant began, @Nullable Instant ended) {
      return new Alert(
          new AlertKey(RULE, node.length() > AlertKey.SUBJECT_LENGTH_MAX ? "node" : node),
          ended == null ? AlertState.FIRING : AlertState.RESOLVED,
          Severity.CRITICAL,
          1,
          "The database of %s does not answer".formatted(node),
          1,
          began,
          ended,
          ended,
          null);
    }
  }
}
