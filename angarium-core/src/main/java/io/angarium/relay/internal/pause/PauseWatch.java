package io.angarium.relay.internal.pause;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.pause.PauseStore;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.send.PausedDestinations;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the pauses of the database to the send loop. The thread of the heartbeats {@link #look
 * looks}, the send loop {@link #apply applies} what it found. A pause ends by itself when its time
 * is over, whether or not the database can be reached.
 */
public final class PauseWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PauseWatch.class);

  /** Between two looks at what is under way to paused destinations. */
  private static final Duration SETTLING_PAUSE = Duration.ofMillis(100);

  /** What is to be applied: the destinations paused at a version. */
  private record Wanted(long version, PausedDestinations destinations) {}

  private record Ending(String destinations, long endNanos) {}

  private final @Nullable PauseStore store;
  private final NodeId node;
  private final TimeSource time;
  private final RelayListener listener;

  // the thread of the heartbeats alone
  private long version = PauseStore.NONE_KNOWN;
  private long toldVersion = PauseStore.NONE_KNOWN;
  private List<Ending> pauses = List.of();
  private boolean failing;

  private volatile Wanted wanted;

  /** The last version whose destinations have nothing under way. */
  private volatile long settledVersion = PauseStore.NONE_KNOWN;

  // the send loop alone
  private Wanted applied = new Wanted(PauseStore.NONE_KNOWN, PausedDestinations.NONE);
  private long settlingNanos;

  /**
   * @param store null if the database has no pauses
   */
  public PauseWatch(
      @Nullable PauseStore store, NodeId node, TimeSource time, RelayListener listener) {
    this.store = store;
    this.node = node;
    this.time = time;
    this.listener = listener;
    List<String> atFirst = store == null ? List.of() : List.of("*"); // until it is known
    this.wanted = new Wanted(PauseStore.NONE_KNOWN, PausedDestinations.of(atFirst));
  }

  /**
   * Looks for new pauses, ends those whose time is over, and notes in the database what was
   * applied. Blocks.
   *
   * @throws StoreException if the database cannot be asked and has not been before: until the first
   *     answer nothing is sent
   */
  public void look() {
    PauseStore asked = store;
    if (asked == null) {
      return;
    }
    try {
      asked.changedSince(version).ifPresent(this::take);
      tell(asked);
      failing = false;
    } catch (StoreException e) {
      if (version == PauseStore.NONE_KNOWN) {
        throw e;
      }
      if (!failing) {
        LOG.warn("Pauses cannot be read; those known stay in force. {}", e.getMessage());
      }
      failing = true;
      listener.storeFailed("pauses", e);
    }
    end();
  }

  private void take(PauseStore.InForce found) {
    long now = time.nanoTime();
    pauses =
        found.pauses().stream()
            .map(each -> new Ending(each.destinations(), now + each.length().toNanos()))
            .toList();
    boolean first = version == PauseStore.NONE_KNOWN;
    version = found.version();
    want();
    if (!first || !pauses.isEmpty()) {
      LOG.info("Paused destinations: {}", destinations());
    }
  }

  private void end() {
    long now = time.nanoTime();
    List<Ending> left = pauses.stream().filter(each -> each.endNanos() - now > 0).toList();
    if (left.size() < pauses.size()) {
      pauses = left;
      want();
      LOG.info("Pauses ended, as their time is over; paused destinations: {}", destinations());
    }
  }

  private List<String> destinations() {
    return pauses.stream().map(Ending::destinations).toList();
  }

  private void want() {
    wanted = new Wanted(version, PausedDestinations.of(destinations()));
  }

  private void tell(PauseStore asked) {
    long settled = settledVersion;
    if (settled == version && toldVersion != settled) {
      asked.applied(node, settled);
      toldVersion = settled;
    }
  }

  /** True until the database has answered once; by the thread of the heartbeats alone. */
  public boolean isUnknown() {
    return store != null && version == PauseStore.NONE_KNOWN;
  }

  /** What is to be paused, as far as is known. */
  PausedDestinations wanted() {
    return wanted.destinations();
  }

  /**
   * Applies what was found last, and notices when nothing of it is under way any more.
   *
   * @return true if pauses have changed
   */
  public boolean apply(Circuits circuits, InFlightWindow inFlight) {
    Wanted latest = wanted;
    boolean changed = !latest.equals(applied);
    if (changed) {
      applied = latest;
      circuits.pause(latest.destinations());
      settlingNanos = time.nanoTime();
    }
    if (settledVersion != latest.version() && time.nanoTime() - settlingNanos >= 0) {
      settlingNanos = time.nanoTime() + SETTLING_PAUSE.toNanos();
      if (latest.destinations().isEmpty() || inFlight.holdsNone(latest.destinations()::contains)) {
        settledVersion = latest.version();
      }
    }
    return changed;
  }
}
