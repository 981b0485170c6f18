package io.angarium.relay;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.pause.PauseStore;
import io.angarium.relay.internal.RelayStatusReader;
import io.angarium.relay.internal.RelayThreads;
import io.angarium.relay.internal.SendLoop;
import io.angarium.relay.internal.StoreFailures;
import io.angarium.relay.internal.Tripwires;
import io.angarium.relay.internal.flight.Transports;
import io.angarium.relay.internal.partition.Leases;
import io.angarium.relay.internal.pause.PauseWatch;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.DeleteQueue;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.relay.status.RelayStatus;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.store.lease.NodeId;
import io.angarium.store.lease.NodeIdInUseException;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers what transactions committed: sends it straight after the commit, finds what was left
 * behind, retries what failed, keeps the order of keys, and shares the work with the relays of
 * other nodes. One per database and process.
 *
 * <p>{@link #start} runs it on four threads of its own; {@link #runOnce} runs one round on the
 * caller's thread instead, for tests. Thread-safe.
 */
public final class Relay implements Handover, Wakeable, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

  private final RelayContext context;
  private final Transports transports;
  private final Leases leases;
  private final PauseWatch pauses;
  private final DeleteQueue deletes;
  private final SendLoop sendLoop;
  private final RelayThreads threads;
  private final RelayStatusReader status;
  private boolean prepared;
  private boolean closed;

  private Relay(Builder builder) {
    String caller = builder.config.node();
    List<Transport> views = builder.transports.stream().map(all -> all.of(caller)).toList();
    this.transports = new Transports(views, builder.defaultTransport);
    StoreFailures failures = new StoreFailures(builder.time);
    List<RelayListener> listeners = new ArrayList<>(builder.listeners);
    listeners.add(failures);
    RelayListener listener = RelayListener.all(listeners);
    Tripwires tripwires = new Tripwires(listener, builder.time);
    builder.store.tripwire(tripwires);
    this.context =
        new RelayContext(
            builder.store, builder.config, builder.policies, listener, builder.time, tripwires);
    RelayConfig config = builder.config;
    NodeId node = new NodeId(config.node(), builder.incarnation);
    this.leases =
        new Leases(
            builder.leases,
            node,
            config.leasing(),
            transports.resultMax(),
            config.partitioning(),
            transports.names(),
            builder.time,
            tripwires);
    this.pauses = new PauseWatch(builder.pauses, node, builder.time, listener);
    this.threads = new RelayThreads(config.node());
    this.deletes = new DeleteQueue(context, threads::signalAll);
    this.sendLoop =
        new SendLoop(
            context,
            transports,
            leases,
            pauses,
            deletes,
            threads::signalSender,
            threads::readAhead);
    this.status = new RelayStatusReader(context, node, leases, sendLoop, threads, failures);
  }

  /** Starts to put a relay together. */
  public static Builder builder(OutboxStore store, LeaseStore leases) {
    return new Builder(store, leases);
  }

  /**
   * Takes its partitions, as far as they are free, and starts the relay's threads. Blocks for the
   * database. Does nothing if it runs already. A node name that another live node uses is logged as
   * an error and tried again: after a crash the old lease of the same name ends by itself.
   *
   * @throws io.angarium.ConfigurationException if the database has another partitioning, or if a
   *     live node and this one each have a transport that the other one lacks
   * @throws StoreException if the database cannot be reached
   * @throws IllegalStateException if the relay was closed
   */
  public synchronized void start() {
    prepare();
    if (!threads.running()) {
      sendLoop.begin();
      beatFirst();
    }
    if (threads.start(this::beat, sendLoop, deletes, context)) {
      status.started();
      LOG.info(
          "Relay {} started: transports {}, {} keyed and {} keyless partitions, lease {}, at"
              + " most {} messages in flight.",
          context.config().node(),
          transports.all().stream().map(Transport::name).toList(),
          context.config().partitioning().keyed(),
          context.config().partitioning().keyless(),
          DurationText.of(context.config().leasing().ttl()),
          context.config().window().recordsMax());
    }
  }

  /**
   * Runs one round on the caller's thread: a heartbeat if one is due, a round of the send loop, and
   * the writes and deletes that wait. For tests; not to be mixed with {@link #start}. Blocks.
   *
   * @return true if another round would find something to do at once
   */
  public synchronized boolean runOnce() {
    prepare();
    runOnce(Step.BEAT);
    boolean busy = runOnce(Step.SEND);
    busy |= sendLoop.writeAll();
    return runOnce(Step.DELETE) || busy;
  }

  /**
   * Runs one step of a round on the caller's thread, so that a test can stop between steps. Blocks.
   *
   * @return true if the step did something
   */
  public synchronized boolean runOnce(Step step) {
    prepare();
    try {
      return switch (step) {
        case BEAT -> beatIfDue();
        case SEND -> sendLoop.round();
        case DELETE -> deletes.run() > 0;
      };
    } catch (StoreException e) {
      context.listener().storeFailed(step.name(), e);
      return false;
    }
  }

  /** A part of a round. */
  public enum Step {
    /** Heartbeat and change of ownership. */
    BEAT,
    /** Results, reads and hand-over to the transports. */
    SEND,
    /** Deletion of what was acknowledged. */
    DELETE
  }

  private void prepare() {
    if (closed) {
      throw new IllegalStateException(
          "Relay " + context.config().node() + " is closed; build a new one.");
    }
    if (!prepared) {
      leases.prepare();
      prepared = true;
    }
  }

  /** So that even a short life sends; the thread of the leases reports what goes wrong. */
  private void beatFirst() {
    try {
      beatIfDue();
    } catch (StoreException | NodeIdInUseException e) {
      LOG.debug("First heartbeat failed; trying again", e);
      leases.hurry();
    }
  }

  private boolean beatIfDue() {
    if (leases.nanosToBeat() > 0) {
      return false;
    }
    if (pauses.isUnknown()) {
      pauses.look(); // before partitions are taken
    }
    try {
      leases.beat();
    } finally { // not before: a lease must not wait for it
      pauses.look();
    }
    return true;
  }

  /** One heartbeat; the pause until the next in nanoseconds. */
  private long beat() {
    sendLoop.reportStall(threads::senderIsIn);
    beatIfDue();
    threads.signalSender();
    return leases.nanosToBeat();
  }

  /** Wakes the relay, so that it looks for messages now. Does not block. */
  @Override
  public void wake() {
    sendLoop.wakeAll();
    threads.signalAll();
  }

  @Override
  public void wake(Collection<Integer> partitions) {
    if (wakeHeld(partitions)) {
      threads.signalSender();
    }
  }

  /** True if the send loop must begin a round for it. */
  private boolean wakeHeld(Collection<Integer> partitions) {
    boolean wake = false;
    for (int partition : partitions) {
      if (leases.holds(partition)) {
        wake |= sendLoop.wake(partition);
      }
    }
    return wake;
  }

  @Override
  public void committed(CommittedMessages written, Duration sinceWritten) {
    if (written.isEmpty() || leases.resting() || !sendLoop.handovers().accepts(written)) {
      return;
    }
    for (StoredMessage message : written.keyless()) {
      sendLoop.handovers().add(message, sinceWritten);
    }
    for (Position position : written.keylessToRead()) {
      sendLoop.handovers().add(position, sinceWritten);
    }
    boolean wake = !written.keyless().isEmpty() || !written.keylessToRead().isEmpty();
    wake |= wakeHeld(written.keyedPartitions());
    if (written.delayed()) {
      wake |= sendLoop.wakeForDelayed();
    }
    if (wake) {
      threads.signalSender();
    }
  }

  @Override
  public int keylessPartition(Partitioning partitioning, long random) {
    int first = partitioning.ofKeyless(random);
    for (int i = 0; i < partitioning.keyless(); i++) {
      int partition = -1 - (-1 - first + i) % partitioning.keyless();
      if (leases.holds(partition)) {
        return partition;
      }
    }
    return first;
  }

  /** Destinations that are not taking messages as usual now; empty if all are. */
  public Map<Destination, CircuitState> circuits() {
    return sendLoop.circuits();
  }

  /** The partitions this node relays now; 0 while it rests or cannot reach the database. */
  public int partitions() {
    return leases.valid() ? leases.held().size() : 0;
  }

  /**
   * True if the relay was started, its lease is valid, it is not {@link #stalledFor stalled}, and
   * the database does not refuse what the relay writes: what becomes of messages, their deletes,
   * and delayed ones that are due.
   */
  public boolean healthy() {
    return status.fault() == null;
  }

  /** What it does now, for persons. Does not block. */
  public RelayStatus status() {
    return status.status();
  }

  /** True if the database was reached and refuses nothing of what is to be written. */
  boolean recordsAll() {
    return sendLoop.recordsAll();
  }

  /**
   * How long the relay has not finished a round, and so has sent nothing: one that takes long, or
   * several that failed. Rounds are made all the time, also by an idle relay.
   *
   * @return zero if the last one ended less than 30 seconds ago, or the relay does not run
   */
  public Duration stalledFor() {
    return threads.running() ? sendLoop.stalledFor() : Duration.ZERO;
  }

  /**
   * Sends what was committed until now, if the relay was started, for at most half of {@link
   * RelayConfig#closeTimeout}; waits the rest of it for what is in flight, deletes what was
   * acknowledged and gives the partitions to other nodes. Transports and stores stay open. Blocks
   * for the close time-out at most, or a second if that is longer: what the database has not
   * answered by then is left to other nodes. A relay that only ran on its caller's thread ends on
   * it, too, and waits for each answer. May be called twice.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    new RelayStop(context, transports, leases, deletes, sendLoop, threads).stop(prepared);
    LOG.info("Relay {} stopped.", context.config().node());
  }

  /** Puts a relay together. Not thread-safe: one thread at a time. */
  public static final class Builder {
    private final OutboxStore store;
    private final LeaseStore leases;
    private final List<Transport> transports = new ArrayList<>();
    private final List<RelayListener> listeners = new ArrayList<>();
    private RelayConfig config = RelayConfig.defaults("node-" + UUID.randomUUID());
    private Function<Destination, DestinationPolicy> policies;
    private @Nullable String defaultTransport;
    private @Nullable PauseStore pauses;
    private TimeSource time = TimeSource.SYSTEM;
    private UUID incarnation = UUID.randomUUID();

    private Builder(OutboxStore store, LeaseStore leases) {
      this.store = store;
      this.leases = leases;
      DestinationPolicy standard = DestinationPolicy.defaults();
      this.policies = destination -> standard;
    }

    /** Adds a transport; at least one is needed, each name once. */
    public Builder transport(Transport transport) {
      transports.add(transport);
      return this;
    }

    /** The transport of destinations that name none; needed only with several transports. */
    public Builder defaultTransport(@Nullable String name) {
      defaultTransport = name;
      return this;
    }

    /** The settings; by default {@link RelayConfig#defaults} with a random node name. */
    public Builder config(RelayConfig config) {
      this.config = config;
      return this;
    }

    /**
     * How each destination treats failures; by default {@link DestinationPolicy#defaults}. Asked
     * often: the same destination must get an equal answer quickly.
     */
    public Builder policies(Function<Destination, DestinationPolicy> policies) {
      this.policies = policies;
      return this;
    }

    /** Adds a listener. */
    public Builder listener(RelayListener listener) {
      listeners.add(listener);
      return this;
    }

    /** Which destinations persons paused; by default none can be. */
    public Builder pauses(PauseStore pauses) {
      this.pauses = pauses;
      return this;
    }

    /** Sets the clocks; by default the clocks of the JVM. */
    public Builder time(TimeSource time) {
      this.time = time;
      return this;
    }

    /** What tells this start of the node from others of its name; by default random. */
    public Builder incarnation(UUID incarnation) {
      this.incarnation = incarnation;
      return this;
    }

    /**
     * Puts it together; starts nothing.
     *
     * @throws io.angarium.ConfigurationException listing every fault
     */
    public Relay build() {
      return new Relay(this);
    }
  }
}
