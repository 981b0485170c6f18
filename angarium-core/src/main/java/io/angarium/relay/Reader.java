package io.angarium.relay;

import io.angarium.relay.ReadAhead.Found;
import io.angarium.store.LateRows;
import io.angarium.store.Mark;
import io.angarium.store.Snapshot;
import io.angarium.store.Span;
import io.angarium.store.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds unsent rows: new ones above the cursor, late ones below it, and at long intervals any that
 * both overlooked. A row exists until it was sent, so nothing here can lose one; cursor and floor
 * only save the database from looking at what is gone. Not thread-safe: one thread at a time,
 * except {@link #wake}.
 */
final class Reader {
  private static final Logger LOG = LoggerFactory.getLogger(Reader.class);
  private static final int LATE_MAX = 5_000;

  /**
   * So many rows read since the last decision make the next one urgent: late reads cost by them.
   */
  private static final int EAGER_ROWS = 2_000;

  private final RelayContext context;
  private final RelayConfig.Polling polling;
  private final Flights flights;
  private final Partitions partitions;
  private final Sender sender;
  private final Aging aging;
  private final ReadAhead ahead;
  private final RowSize rowSize = new RowSize();
  private final Set<Integer> woken = ConcurrentHashMap.newKeySet();
  private volatile boolean allWoken;

  private long nextPollNanos;
  private long nextLateNanos;
  private long nextSweepNanos;
  private long pauseNanos;
  private long lastSequence;

  /** Fixed for one look: what ages while the database reads was not read. */
  private long agedUpTo;

  private @Nullable Snapshot snapshot;
  private @Nullable Snapshot latest;
  private @Nullable Mark mark;
  private int undecidedRows;
  private Instant promptSince = Instant.EPOCH;
  private boolean windowFull;
  private boolean behind;
  private final Map<Integer, Long> sweeping = new HashMap<>();

  /**
   * @param executor makes the reads ahead
   */
  Reader(
      RelayContext context,
      Flights flights,
      Partitions partitions,
      Sender sender,
      Executor executor) {
    this.ahead = new ReadAhead(context.store(), executor);
    this.context = context;
    this.polling = context.config().polling();
    this.flights = flights;
    this.partitions = partitions;
    this.sender = sender;
    this.aging = new Aging(polling.grace());
    long now = context.time().nanoTime();
    this.nextPollNanos = now;
    this.nextLateNanos = now;
    this.nextSweepNanos = now + polling.sweep().toNanos();
  }

  /** Makes a partition be read soon. Thread-safe. */
  void wake(int partition) {
    woken.add(partition);
  }

  /** Makes all partitions be read soon. Thread-safe. */
  void wakeAll() {
    allWoken = true;
  }

  /** Makes all partitions be read soon. */
  void hurry() {
    nextPollNanos = context.time().nanoTime();
    pauseNanos = 0;
    ahead.forget(); // it is of some of them
  }

  /** True if the last look left out rows that were there. */
  boolean behind() {
    return behind;
  }

  /** Nanoseconds until the next read is due; zero or less if one is. */
  long nanosToDue() {
    if (windowFull) {
      return polling.late().toNanos(); // results and deletes wake the lane before that
    }
    long now = context.time().nanoTime();
    return woken.isEmpty() && !allWoken ? Math.min(nextPollNanos - now, nextLateNanos - now) : 0;
  }

  /**
   * Makes the reads that are due, as far as the window has room. Blocks.
   *
   * @return true if more may be there already
   */
  boolean poll() {
    behind = false;
    if (allWoken) {
      allWoken = false;
      hurry();
    }
    if (partitions.isEmpty() || !partitions.valid()) {
      return false;
    }
    if (snapshot == null) { // before the first read: what becomes visible later is late
      snapshot = context.store().readLate(List.of(), null, 1).snapshot();
      latest = snapshot;
    }
    promptSince = context.time().instant().minus(polling.grace());
    boolean lateDue = context.time().nanoTime() - nextLateNanos >= 0;
    boolean deciding = lateDue && advanceMark();
    boolean more = readCarefully(lateDue, deciding);
    behind = more || windowFull;
    sweep();
    return more;
  }

  /** Rows may be larger than all before them: then fewer are read at once from now on. */
  private boolean readCarefully(boolean lateDue, boolean deciding) {
    try {
      return read(lateDue, deciding);
    } catch (OutOfMemoryError e) {
      rowSize.startOver();
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
    if (!due && woken.isEmpty() && !lateDue) {
      return false;
    }
    int free = room();
    windowFull = free == 0;
    if (windowFull) {
      return false;
    }
    Found found = due && !deciding && woken.isEmpty() ? readAhead(free) : null;
    if (found == null) {
      ahead.forget();
      found = readNow(due ? behind(now) : takeWoken(), free);
    }
    List<PartitionState> targets = found.partitions();
    int perSpan = found.perSpan();
    List<StoredMessage> rows = found.rows();
    if (!readLate(lateDue, rows)) {
      hurry(); // the new rows are read again when the late ones have been taken
      return true;
    }
    rows.forEach(this::take);
    boolean full = advance(targets, rows, perSpan);
    if (deciding) {
      decide(targets, rows, perSpan);
    }
    if (due) {
      schedule(rows, full);
    }
    readFurther(targets, full);
    return full;
  }

  /** What was read while the last rows were handed over; null if there is nothing of use. */
  private @Nullable Found readAhead(int free) {
    return ahead.fits(partitions::get, free) ? ahead.take() : null;
  }

  private Found readNow(List<PartitionState> targets, int free) {
    int perSpan = Math.max(1, free / Math.max(1, targets.size()));
    return new Found(targets, perSpan, targets.isEmpty() ? List.of() : readNew(targets, perSpan));
  }

  private void readFurther(List<PartitionState> targets, boolean full) {
    int free = full ? room() : 0;
    if (free > 0) {
      ahead.begin(targets, free);
    }
  }

  // ---- new rows

  /** Every partition that may have rows above its cursor. */
  private List<PartitionState> behind(long now) {
    woken.clear();
    lastSequence = context.store().lastSequence();
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

  private List<PartitionState> takeWoken() {
    Set<Integer> taken = new HashSet<>(woken);
    woken.removeAll(taken);
    List<PartitionState> targets = new ArrayList<>(taken.size());
    for (PartitionState partition : partitions.active()) {
      if (taken.contains(partition.partition)) {
        targets.add(partition);
      }
    }
    return targets;
  }

  private List<StoredMessage> readNew(List<PartitionState> targets, int perSpan) {
    List<Span> spans = new ArrayList<>(targets.size());
    for (PartitionState partition : targets) {
      spans.add(new Span(partition.partition, partition.cursor(), end(partition)));
    }
    return context.store().read(spans, perSpan);
  }

  private void take(StoredMessage row) {
    PartitionState partition = partitions.get(row.position().partition());
    if (partition != null) {
      offer(row, partition);
    }
  }

  private void offer(StoredMessage row, PartitionState partition) {
    rowSize.saw(row.message().payload().length);
    Route route = row.createdAt().isBefore(promptSince) ? Route.COMPENSATED : Route.PROMPT;
    sender.offer(new Flight(row, Flight.Source.OUTBOX, route), partition);
  }

  /** Moves the cursors past what was read; true if a partition may have more. */
  private boolean advance(List<PartitionState> targets, List<StoredMessage> rows, int perSpan) {
    undecidedRows += rows.size();
    for (StoredMessage row : rows) {
      PartitionState partition = partitions.get(row.position().partition());
      if (partition != null) {
        partition.read(row.position().sequence());
      }
    }
    if (rows.size() < perSpan) {
      return false;
    }
    Map<Integer, Integer> counts = counts(rows);
    return targets.stream().anyMatch(p -> counts.getOrDefault(p.partition, 0) >= perSpan);
  }

  private static Map<Integer, Integer> counts(List<StoredMessage> rows) {
    Map<Integer, Integer> counts = new HashMap<>();
    rows.forEach(row -> counts.merge(row.position().partition(), 1, Integer::sum));
    return counts;
  }

  /** Keyless rows belong to the node that wrote them until they have aged. */
  private long end(PartitionState partition) {
    return partition.keyed() ? Long.MAX_VALUE : agedUpTo;
  }

  private void schedule(List<StoredMessage> rows, boolean full) {
    long now = context.time().nanoTime();
    if (full) {
      nextPollNanos = now;
      return;
    }
    long before = rows.isEmpty() ? pauseNanos * 2 : 0;
    long longer = Math.max(before, Math.max(1_000_000, polling.busy().toNanos()));
    pauseNanos = Math.min(longer, polling.idle().toNanos());
    nextPollNanos = now + pauseNanos;
  }

  /** Rows the window has room for; 0 while it is nearly full, so that reads stay large. */
  private int room() {
    RelayConfig.Window window = context.config().window();
    int free = flights.free(rowSize.expected());
    long all = Math.min(window.recordsMax(), window.bytesMax() / rowSize.expected());
    boolean nearlyFull = free <= all / 10 && flights.size() > 0;
    return nearlyFull ? 0 : Math.max(1, Math.min(free, window.readMax()));
  }

  // ---- late rows, and the floor below which none can come

  /**
   * Reads late rows of all partitions if that is due, else of those that new keyed rows came from.
   *
   * @return false if the window had no room for all of them
   */
  private boolean readLate(boolean lateDue, List<StoredMessage> rows) {
    Set<Integer> wanted = new HashSet<>();
    for (StoredMessage row : rows) {
      if (row.isKeyed()) {
        wanted.add(row.position().partition());
      }
    }
    List<Span> spans = new ArrayList<>();
    for (PartitionState partition : partitions.active()) {
      if (partition.hasLateSpan() && (lateDue || wanted.contains(partition.partition))) {
        spans.add(partition.lateSpan());
      }
    }
    if (!lateDue) {
      return spans.isEmpty() || readLate(spans) != null;
    }
    boolean busy = undecidedRows >= EAGER_ROWS;
    Duration pause = busy ? polling.busy() : polling.late();
    nextLateNanos = context.time().nanoTime() + pause.toNanos();
    if (spans.isEmpty()) {
      return true;
    }
    Snapshot seen = readLate(spans);
    if (seen != null) { // the new rows were read before this snapshot: it counts from next time on
      snapshot = latest;
      latest = seen;
    }
    return seen != null;
  }

  /** The snapshot up to which late rows of the spans were taken; null if they did not all fit. */
  private @Nullable Snapshot readLate(List<Span> spans) {
    if (flights.size() > 0 && flights.free(rowSize.expected()) == 0) {
      return null; // with nothing in flight there is no result to wait for: at least one goes on
    }
    LateRows late = context.store().readLate(spans, snapshot, LATE_MAX, flights::contains);
    if (late.complete()) {
      late.rows().forEach(this::take);
      return late.snapshot();
    }
    List<List<Span>> halves = halves(spans);
    return readLate(halves.get(0)) == null || readLate(halves.get(1)) == null
        ? null
        : late.snapshot();
  }

  private static List<List<Span>> halves(List<Span> spans) {
    if (spans.size() > 1) {
      int middle = spans.size() / 2;
      return List.of(spans.subList(0, middle), spans.subList(middle, spans.size()));
    }
    Span span = spans.get(0);
    long middle = span.after() + Math.max(1, (span.upTo() - span.after()) / 2);
    return List.of(
        List.of(new Span(span.partition(), span.after(), middle)),
        List.of(new Span(span.partition(), middle, span.upTo())));
  }

  /** True if every row up to the mark was decided before this call. */
  private boolean advanceMark() {
    if (mark == null) {
      if (partitions.active().stream().anyMatch(this::undecided)) {
        mark = context.store().mark();
      }
      return false;
    }
    return context.store().settled(mark);
  }

  private boolean undecided(PartitionState partition) {
    return partition.floor() < Math.min(end(partition), lastSequence);
  }

  /** Raises the floors to the mark: both reads began after everything up to it was decided. */
  private void decide(List<PartitionState> targets, List<StoredMessage> rows, int perSpan) {
    Mark settled = mark;
    if (settled == null) {
      return;
    }
    Map<Integer, Integer> counts = counts(rows);
    for (PartitionState partition : targets) {
      boolean exhausted = counts.getOrDefault(partition.partition, 0) < perSpan;
      partition.decide(Math.min(settled.lastSequence(), end(partition)), exhausted);
    }
    for (PartitionState partition : partitions.active()) {
      partition.decide(Math.min(settled.lastSequence(), end(partition)), false);
    }
    mark = null;
    undecidedRows = 0;
  }

  // ---- the safety net

  private void sweep() {
    long now = context.time().nanoTime();
    if (sweeping.isEmpty()) {
      if (now - nextSweepNanos < 0) {
        return;
      }
      nextSweepNanos = now + polling.sweep().toNanos();
      partitions.active().forEach(p -> sweeping.put(p.partition, 0L));
    }
    int free = room();
    if (free > 0) {
      sweep(free);
    }
  }

  private void sweep(int free) {
    List<Span> spans = new ArrayList<>();
    for (Map.Entry<Integer, Long> entry : sweeping.entrySet()) {
      PartitionState partition = partitions.get(entry.getKey());
      if (partition != null && entry.getValue() < partition.cursor()) {
        spans.add(new Span(entry.getKey(), entry.getValue(), partition.cursor()));
      }
    }
    sweeping.clear();
    if (spans.isEmpty()) {
      return;
    }
    int perSpan = Math.max(1, free / spans.size());
    Map<Integer, Integer> counts = new HashMap<>();
    for (StoredMessage row : context.store().read(spans, perSpan)) {
      int partition = row.position().partition();
      if (counts.merge(partition, 1, Integer::sum) == perSpan) {
        sweeping.put(partition, row.position().sequence());
      }
      recover(row);
    }
  }

  private void recover(StoredMessage row) {
    PartitionState partition = partitions.get(row.position().partition());
    if (partition == null
        || flights.contains(row.position())
        || partition.holds(row.message().destination())) {
      return;
    }
    LOG.warn("Sweep found {}, which no other read had seen; sending it.", row);
    offer(row, partition);
  }
}
