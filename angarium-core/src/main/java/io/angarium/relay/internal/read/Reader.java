package io.angarium.relay.internal.read;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.internal.flight.InFlight;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.flight.TransportQuotas;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.send.Circuits;
import io.angarium.relay.internal.send.Sender;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.Route;
import io.angarium.store.ReadLimit;
import io.angarium.store.ReadRows;
import io.angarium.store.SequenceRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds unsent rows: new ones above the cursor, late ones below it, and at long intervals any that
 * both overlooked. A row exists until it was sent, so nothing here can lose one; cursor and floor
 * only save the database from looking at what is gone. Not thread-safe: one thread at a time,
 * except {@link #wake}.
 */
public final class Reader {
  private static final Logger LOG = LoggerFactory.getLogger(Reader.class);

  private final RelayContext context;
  private final RelayConfig.Polling polling;
  private final OwnedPartitions partitions;
  private final Sender sender;
  private final Runnable onStartOver;
  private final ReadAhead ahead;
  private final BacklogPlanner stride;
  private final FloorReads floorLooks;
  private final ReadBudget room;
  private final LateRowReader late;
  private final SettledFloors floors;
  private final SafetySweep sweep;
  private final RowsBeyond beyond;
  private final HeldReads held;
  private final ReadPacing pace;
  private final PollPauses pauses;
  private final WokenPartitions woken = new WokenPartitions();

  /** The partitions whose commits were announced to the look of this round. */
  private Set<Integer> announced = Set.of();

  /**
   * The partitions in which a poll found messages that nobody had announced: they are of other
   * processes, unless an announcement comes behind.
   */
  private final Set<Integer> unannounced = new HashSet<>();

  private volatile boolean allWoken;

  /** Asked for in this round already, with something else; -1 if it was not. */
  private long sawSequence = -1;

  private SequenceAges aging;
  private long nextPollNanos;

  /** The last sequence that the database told. */
  private long toldSequence;

  /** That, or the highest row that was found above it. */
  private long lastSequence;

  /** The look of this round, behind which more may be read. */
  private @Nullable ReadResult last;

  /** Fixed for one look: what ages while the database reads was not read. */
  private long agedUpTo;

  private Instant promptSince = Instant.EPOCH;
  private boolean windowFull;

  /** The last poll left rows behind. */
  private boolean readFull;

  private boolean behind;
  private int turn;

  /**
   * @param executor makes the reads ahead
   * @param onStartOver called when positions may belong to other messages than before
   */
  public Reader(
      RelayContext context,
      InFlightWindow inFlight,
      TransportQuotas quotas,
      OwnedPartitions partitions,
      Circuits circuits,
      Sender sender,
      Executor executor,
      Runnable onStartOver) {
    this.onStartOver = onStartOver;
    this.ahead = new ReadAhead(context.store(), executor);
    this.stride = new BacklogPlanner(context.config().window().readMax(), this::end);
    this.floorLooks = new FloorReads(inFlight);
    this.room = new ReadBudget(context.config().window(), inFlight, quotas, context.time());
    this.context = context;
    this.polling = context.config().polling();
    this.partitions = partitions;
    this.sender = sender;
    this.late = new LateRowReader(context, inFlight, partitions, room, this::take);
    this.floors = new SettledFloors(context.store(), partitions, this::end);
    this.held = new HeldReads(context, partitions, circuits, room, this::offerHeld, this::hurry);
    Predicate<Destination> forgotten =
        to -> circuits.isClosed(to) && !quotas.holds(to) && !held.resumes(to);
    this.sweep = new SafetySweep(context, inFlight, partitions, room, forgotten, this::offer);
    this.beyond = new RowsBeyond(context, partitions, room);
    this.aging = new SequenceAges(polling.grace());
    this.nextPollNanos = context.time().nanoTime();
    this.pace = new ReadPacing(polling.busy(), nextPollNanos);
    this.pauses = new PollPauses(polling);
  }

  /**
   * Makes a partition be read soon. Thread-safe.
   *
   * @return true if the send loop must begin a round for it
   */
  public boolean wake(int partition) {
    return woken.add(partition);
  }

  /** Makes all partitions be read soon. Thread-safe. */
  public void wakeAll() {
    allWoken = true;
  }

  /** Makes all partitions be read soon. */
  public void hurry() {
    nextPollNanos = context.time().nanoTime();
    pauses.restart();
    sawSequence = -1; // there is more than it tells of
    ahead.forget(); // it is of some of them
  }

  /**
   * Takes the last sequence, for the next look only, which is made at once; unless a wake or {@link
   * #hurry} tells of more before it.
   */
  public void sawSequence(long last) {
    sawSequence = last;
    long now = context.time().nanoTime();
    nextPollNanos = Math.min(nextPollNanos - now, 0) + now;
  }

  /** Makes what is held for a destination be read again, as far as there are permits. */
  public void resume(Destination destination) {
    held.resume(destination);
  }

  /** True if the last look left out rows that were there. */
  public boolean behind() {
    return behind;
  }

  /** Nanoseconds until the next read is due; zero or less if one is. */
  public long nanosToDue() {
    if (windowFull) {
      return polling.late().toNanos(); // results and deletes wake the send loop before that
    }
    if (allWoken) {
      return 0;
    }
    long now = context.time().nanoTime();
    long due = Math.min(nextPollNanos - now, late.nanosToDue());
    due = held.pending() ? Math.min(due, polling.busy().toNanos()) : due;
    return woken.isEmpty() ? due : Math.min(due, pace.nanosToDue(now));
  }

  /**
   * Makes the reads that are due, as far as the window has room. Blocks.
   *
   * @return true if more may be there already
   */
  public boolean poll() {
    try {
      return pollNow();
    } finally {
      sawSequence = -1;
    }
  }

  private boolean pollNow() {
    behind = false;
    woken.begin();
    if (allWoken) {
      allWoken = false;
      hurry();
    }
    if (partitions.isEmpty() || !partitions.valid()) {
      return false;
    }
    late.begin();
    promptSince = context.time().instant().minus(polling.grace());
    if (partitions.active().stream().anyMatch(PartitionState::isNew)) {
      beyond.hurry();
    }
    boolean beginning = floors.begin();
    boolean lateDue = beginning || late.nanosToDue() <= 0;
    boolean deciding = beginning || (lateDue && floors.advanceMark(lastSequence));
    boolean more = readCarefully(lateDue, deciding);
    behind = more || windowFull || held.pending();
    sweep.run();
    return more || lookBeyond();
  }

  /** Only once all is read that lies below: a message must not pass an earlier one of its key. */
  private boolean lookBeyond() {
    boolean found = !behind && beyond.look(lastSequence);
    if (found) {
      hurry();
    }
    return found;
  }

  private boolean readCarefully(boolean lateDue, boolean deciding) {
    try {
      held.run();
      return read(lateDue, deciding);
    } catch (StoreException e) {
      room.careful();
      throw e;
    }
  }

  /**
   * Reads new rows, then late ones, and offers the late ones first: the snapshot of the second read
   * shows whatever the first one shows, so no message overtakes an earlier one of its key that
   * became visible below the cursor meanwhile.
   */
  private boolean read(boolean lateDue, boolean deciding) {
    long now = context.time().nanoTime();
    boolean due = now - nextPollNanos >= 0 || deciding || windowFull;
    boolean called = !woken.isEmpty() && pace.nanosToDue(now) <= 0;
    if (!due && !called && !lateDue) {
      return false;
    }
    int free = room.rows();
    windowFull = free == 0;
    if (windowFull) {
      return false;
    }
    boolean fresh = deciding && !ahead.isDecided();
    ReadResult found = due && !fresh && woken.isEmpty() ? readAhead(free) : null;
    if (found == null) {
      ahead.forget();
      found = readNow(due ? look(behind(now), free) : lookAtWoken(lateDue, free));
    }
    List<StoredMessage> rows = found.read().rows();
    if (!readLate(lateDue, found)) {
      hurry(); // the new rows are read again when results have made room
      windowFull = true;
      return false;
    }
    rows.forEach(this::take);
    advance(found);
    if (deciding) {
      floors.decide(found);
    }
    boolean more = found.more();
    if (due || more) { // also if only some were asked for: the rest of them is to come at once
      schedule(rows, more);
    }
    stride.looked(found);
    last = found;
    pace.looked(now, context.time().nanoTime());
    return more;
  }

  /** Reads what lies below the new rows; false if the window had no room for all of it. */
  private boolean readLate(boolean due, ReadResult found) {
    List<StoredMessage> rows = found.read().rows();
    boolean soon = floors.urgent() || found.more();
    return due
        ? late.readAll(rows, soon ? polling.busy() : polling.late())
        : late.readBelow(rows, found.look().fromFloor());
  }

  /** What was read while the last rows were handed over; null if there is nothing of use. */
  private @Nullable ReadResult readAhead(int free) {
    return ahead.fits(partitions::active, free, room.bytesBeside(0)) ? ahead.take() : null;
  }

  /** A look at partitions that a commit was announced for; at its best it brings late rows, too. */
  private ReadPlan lookAtWoken(boolean lateDue, int free) {
    ReadPlan look = look(takeWoken(), free);
    return lateDue ? look : floorLooks.widened(look);
  }

  private ReadPlan look(List<PartitionState> targets, int free) {
    if (targets.isEmpty()) {
      return new ReadPlan(targets, List.of(), ReadLimit.rows(1), free, true);
    }
    Collections.rotate(targets, turn); // bytes are shared out in this order
    return stride.plan(targets, lastSequence, free, room.bytes());
  }

  private ReadResult readNow(ReadPlan look) {
    if (look.spans().isEmpty()) {
      return new ReadResult(look, new ReadRows(List.of(), Set.of()));
    }
    ReadRows read = context.store().read(look.spans(), look.limit());
    turn = read.more().isEmpty() ? 0 : turn + 1;
    return new ReadResult(look, floorLooks.unknown(look, read));
  }

  /** Begins to read what lies behind the last look, while that is handed over. */
  public void readFurther() {
    ReadResult found = last;
    last = null;
    int free = found != null && found.more() ? room.rows() : 0;
    if (found != null && free > 0) {
      ahead.begin(
          found.look().partitions(), keyed -> stride.plan(keyed, lastSequence, free, room.bytes()));
    }
  }

  // ---- new rows

  /** Every partition that may have rows above its cursor. */
  private List<PartitionState> behind(long now) {
    long last = askForLastSequence();
    if (!unannounced.isEmpty()) {
      pauses.foundOfOthers(now);
      unannounced.clear();
    }
    if (last < toldSequence) {
      startOver(last);
    }
    toldSequence = last;
    lastSequence = Math.max(last, beyond.highest());
    aging.sample(context.time().nanoTime(), lastSequence); // after the answer: none is younger
    agedUpTo = aging.aged(now);
    List<PartitionState> behind = new ArrayList<>();
    for (PartitionState partition : partitions.active()) {
      if (partition.cursor() < Math.min(end(partition), lastSequence)) {
        behind.add(partition);
      }
    }
    return behind;
  }

  /** What was told of before the answer is read; a wake that comes later stays. */
  private long askForLastSequence() {
    if (sawSequence >= 0 && woken.isEmpty()) {
      announced = Set.of();
      return sawSequence;
    }
    announce();
    return context.store().lastSequence();
  }

  /**
   * Another server took over that does not have all of the old one: what it lacks is lost, and the
   * sequences of that are given to other messages.
   */
  private void startOver(long last) {
    LOG.warn(
        "The sequence of the database went back from {} to {}; reading everything again.",
        toldSequence,
        last);
    forget();
    onStartOver.run();
  }

  /** Forgets all positions: from now on they may belong to other messages. */
  public void forget() {
    last = null;
    late.forget();
    floors.forget();
    sweep.forget();
    ahead.forget();
    stride.forget();
    aging = new SequenceAges(polling.grace());
    agedUpTo = 0;
    beyond.forget();
    toldSequence = 0;
    lastSequence = 0;
    hurry();
  }

  private void announce() {
    announced = woken.take();
    unannounced.removeAll(announced);
  }

  private List<PartitionState> takeWoken() {
    announce();
    List<PartitionState> targets = new ArrayList<>(announced.size());
    for (PartitionState partition : partitions.active()) {
      if (announced.contains(partition.partition)) {
        targets.add(partition);
      }
    }
    return targets;
  }

  private void take(StoredMessage row) {
    PartitionState partition = partitions.get(row.position().partition());
    if (partition != null) {
      offer(row, partition);
    }
  }

  private void offer(StoredMessage row, PartitionState partition) {
    sender.offer(flight(row), partition);
  }

  private void offerHeld(StoredMessage row, PartitionState partition) {
    sender.offerHeld(flight(row), partition);
  }

  private InFlight flight(StoredMessage row) {
    room.saw(row.message().payload().length);
    Route route = row.createdAt().isBefore(promptSince) ? Route.COMPENSATED : Route.PROMPT;
    return new InFlight(row, InFlight.Source.OUTBOX, route);
  }

  /** Moves the cursors past what was read: while more waits, also past where no row was. */
  private void advance(ReadResult found) {
    floors.read(found.read().rows().size());
    for (StoredMessage row : found.read().rows()) {
      PartitionState partition = partitions.get(row.position().partition());
      if (partition != null) {
        notice(row, partition);
        partition.read(row.position().sequence());
      }
    }
    List<SequenceRange> spans = found.more() ? found.look().spans() : List.of();
    for (int i = 0; i < spans.size(); i++) {
      if (found.exhausted(spans.get(i))) {
        found.look().partitions().get(i).read(Math.min(spans.get(i).upTo(), lastSequence));
      }
    }
  }

  /** What follows a full read may be of a commit that was announced before it. */
  private void notice(StoredMessage row, PartitionState partition) {
    boolean known = readFull || announced.contains(partition.partition);
    if (!known && partition.isUnread(row.position().sequence())) {
      unannounced.add(partition.partition);
    }
  }

  /** Keyless rows belong to the node that wrote them until they have aged. */
  private long end(PartitionState partition) {
    return partition.keyed() ? Long.MAX_VALUE : agedUpTo;
  }

  private void schedule(List<StoredMessage> rows, boolean full) {
    long now = context.time().nanoTime();
    readFull = full;
    nextPollNanos = full ? now : now + pauses.after(!rows.isEmpty(), partitions.nodes(), now);
  }
}
