package io.angarium.relay.internal.send;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.BusyKeys;
import io.angarium.relay.internal.flight.InFlight;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.flight.KeyState;
import io.angarium.relay.internal.flight.TransportQuotas;
import io.angarium.relay.internal.flight.Transports;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.FencedWriteQueue;
import io.angarium.relay.settings.Route;
import io.angarium.store.ParkedEntry;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides for each message whether it is handed over now, waits for its key or destination, or
 * follows its key into the parked list; and hands over in batches. Not thread-safe: one thread at a
 * time.
 */
public final class Sender {
  private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

  private final Transports transports;
  private final InFlightWindow inFlight;
  private final TransportQuotas quotas;
  private final OwnedPartitions partitions;
  private final Circuits circuits;
  private final FencedWriteQueue writes;
  private final RelayContext context;
  private final BiConsumer<StoredMessage, SendResult> results;
  private final BusyKeys keys = new BusyKeys();
  private final Map<Transport, List<InFlight>> batches = new LinkedHashMap<>();
  private final ChainedDestinations chained;
  private final Set<KeyState> abandoned = new LinkedHashSet<>();

  /** The partitions of the keyed messages gathered since the last {@link #flush}. */
  private final Set<Integer> keyedPartitions = new HashSet<>();

  /** A partition or a key was dropped since the last {@link #flush}. */
  private boolean dropped;

  private @Nullable Destination lastDestination;
  private @Nullable Transport lastTransport;

  /**
   * @param results told from any thread what became of each message
   */
  public Sender(
      RelayContext context,
      Transports transports,
      InFlightWindow inFlight,
      TransportQuotas quotas,
      OwnedPartitions partitions,
      Circuits circuits,
      FencedWriteQueue writes,
      BiConsumer<StoredMessage, SendResult> results) {
    this.transports = transports;
    this.inFlight = inFlight;
    this.quotas = quotas;
    this.partitions = partitions;
    this.circuits = circuits;
    this.writes = writes;
    this.context = context;
    this.results = results;
    this.chained = new ChainedDestinations(context.policies(), transports);
  }

  public @Nullable KeyState key(long hash) {
    return keys.get(hash);
  }

  public void forget(KeyState key) {
    keys.end(key);
  }

  /** Takes a row of the outbox: sends it, lets it wait, holds it back, or parks it. */
  public void offer(InFlight flight, PartitionState partition) {
    offer(flight, partition, partition.holds(flight.destination));
  }

  /** Takes a row that was held back, before the later rows of its destination. */
  public void offerHeld(InFlight flight, PartitionState partition) {
    long sequence = flight.row.position().sequence();
    offer(flight, partition, partition.holdsBelow(flight.destination, sequence));
  }

  /**
   * @param behind a row before it is held; behind that it is held as well: in the parked list it
   *     would pass that one
   */
  private void offer(InFlight flight, PartitionState partition, boolean behind) {
    StoredMessage row = flight.row;
    Destination destination = flight.destination;
    if (inFlight.contains(row.position())) {
      return;
    }
    if (row.isKeyed() && writes.refuses(partition.partition, row.keyHash())) {
      partition.leave(row.keyHash(), row.position().sequence());
    } else if (behind) {
      partition.hold(destination, row.position().sequence());
    } else if (row.isKeyed() && partition.blocks(row.keyHash())) {
      inFlight.add(flight);
      writes.follow(partition.lease, ParkedEntry.follower(row));
    } else if (quotas.holdsBack(destination)) {
      partition.hold(destination, row.position().sequence());
    } else if (row.isKeyed()) {
      offerKeyed(flight, partition, row.keyHash());
    } else if (circuits.permit(destination)) {
      launch(flight);
    } else {
      partition.hold(destination, row.position().sequence());
    }
  }

  private void offerKeyed(InFlight flight, PartitionState partition, long hash) {
    Destination destination = flight.destination;
    KeyState key = keys.get(hash);
    if (key != null && key.mustWait(chained.contains(destination))) {
      inFlight.add(flight);
      key.waiting.add(flight);
    } else if (!circuits.permit(destination)) {
      partition.hold(destination, flight.row.position().sequence());
    } else {
      launch(flight, key == null ? keys.begin(hash, partition.partition, false) : key);
    }
  }

  /** Takes a keyless row straight from its transaction; without a permit the owner finds it. */
  public void offerHandover(StoredMessage row) {
    Destination destination = row.message().destination();
    if (!inFlight.contains(row.position())
        && !quotas.isFull(destination)
        && circuits.permit(destination)) {
      launch(new InFlight(row, InFlight.Source.HANDOVER, Route.PROMPT));
    }
  }

  /** Sends a keyless parked row again. */
  public boolean offerParked(StoredMessage row) {
    if (inFlight.contains(row.position()) || !circuits.permit(row.message().destination())) {
      return false;
    }
    launch(new InFlight(row, InFlight.Source.PARKED, Route.RETRIED));
    return true;
  }

  /**
   * Sends the parked rows of a key again, as many as get a permit.
   *
   * @param rows in order of sequence, not empty
   */
  public boolean offerParkedGroup(long hash, int partition, List<StoredMessage> rows) {
    if (keys.get(hash) != null) {
      return false;
    }
    Destination destination = rows.get(0).message().destination();
    boolean chain = chained.contains(destination);
    KeyState key = null;
    for (StoredMessage row : rows) {
      InFlight flight = new InFlight(row, InFlight.Source.PARKED, Route.RETRIED);
      if (inFlight.contains(row.position())) {
        break; // on its way into the list, as far as is known: the answer may be lost
      } else if (key != null && chain) {
        inFlight.add(flight);
        key.waiting.add(flight);
      } else if (circuits.permit(destination)) {
        key = key == null ? keys.begin(hash, partition, true) : key;
        launch(flight, key);
      } else {
        break;
      }
    }
    return key != null;
  }

  /** Hands over the next of those that wait for their key; all of them where order allows. */
  public void launchWaiting(KeyState key) {
    for (InFlight next = key.waiting.peek(); next != null; next = key.waiting.peek()) {
      Destination destination = next.destination;
      if (key.inFlight > 0 && chained.contains(destination)) {
        return;
      }
      if (!circuits.permit(destination)) {
        holdWaiting(key);
        return;
      }
      key.waiting.remove();
      launch(next, key);
    }
  }

  /** A write of a key is refused: those that wait for it stay where they are in the database. */
  public void leaveWaiting(int partition, long keyHash) {
    KeyState key = keys.get(keyHash);
    PartitionState state = partitions.get(partition);
    if (key == null || state == null) {
      return;
    }
    for (InFlight flight : key.waiting) {
      inFlight.remove(flight.row.position());
      if (flight.source != InFlight.Source.PARKED) {
        state.leave(keyHash, flight.row.position().sequence());
      }
    }
    key.waiting.clear();
  }

  /** Leaves those that wait for their key where they are in the database. */
  public void holdWaiting(KeyState key) {
    PartitionState partition = partitions.get(key.partition);
    for (InFlight flight : key.waiting) {
      hold(flight, partition);
    }
    key.waiting.clear();
  }

  /**
   * Takes a row out of flight and leaves it in the database until its destination answers. If the
   * destination's circuit is closed, nothing would resume it, so the next read brings it again.
   */
  public void hold(InFlight flight, @Nullable PartitionState partition) {
    long sequence = flight.row.position().sequence();
    inFlight.remove(flight.row.position());
    if (partition == null || flight.source == InFlight.Source.PARKED) {
      return;
    }
    if (circuits.isClosed(flight.destination) && !quotas.holds(flight.destination)) {
      partition.rewind(sequence);
    } else {
      partition.hold(flight.destination, sequence);
    }
  }

  private void launch(InFlight flight, KeyState key) {
    key.inFlight++;
    flight.key = key;
    keyedPartitions.add(key.partition);
    launch(flight);
  }

  private void launch(InFlight flight) {
    inFlight.add(flight);
    if (inFlight.takeUnsettled(flight.row)) {
      flight.sentBefore = true;
      circuits.returned(flight.destination);
      results.accept(flight.row, SendResult.ACKNOWLEDGED);
      return;
    }
    Transport transport = transport(flight.destination);
    if (transport == null) {
      flight.withoutTransport = true;
      partitions.lacks(flight.row.position().partition(), flight.destination);
      context.listener().sending(flight.row, flight.route);
      results.accept(flight.row, transports.unknown(flight.destination));
    } else {
      batches.computeIfAbsent(transport, t -> new ArrayList<>()).add(flight);
    }
  }

  @SuppressWarnings("ReferenceEquality") // only saves a look into the map
  private @Nullable Transport transport(Destination destination) {
    if (destination != lastDestination) {
      lastTransport = transports.of(destination);
      lastDestination = destination;
    }
    return lastTransport;
  }

  /** The partitions of the keyed messages that the next {@link #flush} hands over. */
  public Set<Integer> keyedPartitions() {
    return keyedPartitions;
  }

  /**
   * Hands over what was gathered.
   *
   * @param owned false takes back what needs a lease, as it does if the leases have changed
   */
  public void flush(boolean owned) {
    for (Map.Entry<Transport, List<InFlight>> entry : batches.entrySet()) {
      List<InFlight> batch = entry.getValue();
      if (batch.isEmpty()) {
        continue;
      }
      entry.setValue(new ArrayList<>());
      if (!owned || !partitions.valid()) {
        batch = abandonOwned(batch);
      } else if (dropped) {
        batch = abandonDropped(batch);
      }
      if (!batch.isEmpty()) {
        send(entry.getKey(), batch);
      }
    }
    keyedPartitions.clear();
    dropped = false;
  }

  private void send(Transport transport, List<InFlight> launched) {
    List<StoredMessage> batch = new ArrayList<>(launched.size());
    for (InFlight flight : launched) { // only now: an abandoned flight is no attempt
      context.listener().sending(flight.row, flight.route);
      batch.add(flight.row);
    }
    try {
      transport.send(batch, results);
    } catch (RuntimeException | LinkageError e) {
      threw(transport, batch, e);
    } catch (Error e) { // e.g. out of memory: the thread's outermost loop is to know, too
      threw(transport, batch, e);
      throw e;
    }
  }

  /**
   * It breaks its contract, but must not lose messages: without a result they would be under way
   * until another node took over.
   */
  private void threw(Transport transport, List<StoredMessage> batch, Throwable thrown) {
    SendResult failed =
        new SendResult.Failed("transport " + transport.name() + " threw " + thrown, thrown);
    batch.forEach(row -> results.accept(row, failed));
    LOG.error("Transport {} threw; its messages are tried again.", transport.name(), thrown);
  }

  /** Keys that have nothing in flight since the last {@link #flush} took it back. */
  public List<KeyState> takeAbandoned() {
    List<KeyState> taken = List.copyOf(abandoned);
    abandoned.clear();
    return taken;
  }

  /** Takes back those whose partition was dropped after they were gathered. */
  private List<InFlight> abandonDropped(List<InFlight> batch) {
    List<InFlight> rest = new ArrayList<>();
    for (InFlight flight : batch) {
      KeyState key = flight.key;
      boolean gone =
          key == null ? partitions.get(flight.row.position().partition()) == null : key.dropped;
      if (gone && flight.source != InFlight.Source.HANDOVER) {
        abandon(flight);
      } else {
        rest.add(flight);
      }
    }
    return rest;
  }

  /** Takes back all but handed over rows, which need no lease. */
  private List<InFlight> abandonOwned(List<InFlight> batch) {
    List<InFlight> rest = new ArrayList<>();
    for (InFlight flight : batch) {
      if (flight.source == InFlight.Source.HANDOVER) {
        rest.add(flight);
      } else {
        abandon(flight);
      }
    }
    return rest;
  }

  private void abandon(InFlight flight) {
    circuits.returned(flight.destination);
    takeBack(flight);
    KeyState key = flight.key;
    if (key != null && !key.dropped) {
      key.inFlight--;
      key.waiting.forEach(this::takeBack);
      key.waiting.clear();
      if (key.inFlight == 0) {
        abandoned.add(key);
      }
    }
  }

  private void takeBack(InFlight flight) {
    inFlight.remove(flight.row.position());
    PartitionState partition = partitions.get(flight.row.position().partition());
    if (partition != null && flight.source == InFlight.Source.OUTBOX) {
      partition.rewind(flight.row.position().sequence());
    }
  }

  /** Forgets what waits in a partition that is gone; what is in flight still gets its result. */
  public void dropPartition(int partition) {
    dropped = true;
    keys.of(partition).forEach(this::drop);
  }

  /** Forgets a key whose partition is gone. */
  public void drop(KeyState key) {
    dropped = true;
    key.dropped = true;
    key.waiting.forEach(flight -> inFlight.remove(flight.row.position()));
    key.failures.forEach(failure -> inFlight.remove(failure.flight().row.position()));
    key.acknowledged.forEach(flight -> inFlight.remove(flight.row.position()));
    forget(key);
  }
}
