package io.angarium.relay.internal.retry;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.relay.internal.flight.InFlight;
import io.angarium.relay.internal.flight.KeyState;
import io.angarium.relay.internal.flight.KeyState.Failure;
import io.angarium.relay.internal.partition.OwnedPartitions;
import io.angarium.relay.internal.partition.PartitionState;
import io.angarium.relay.internal.send.Sender;
import io.angarium.relay.internal.settings.RelayContext;
import io.angarium.relay.internal.write.FencedWriteQueue;
import io.angarium.relay.internal.write.QueuedWrite.Subject;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.ParkedOutcome;
import io.angarium.store.lease.Lease;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a key once all its attempts have results, so that its order survives: the
 * lowest message that failed is retried later and everything behind it waits. Not thread-safe: one
 * thread at a time.
 */
public final class KeyFailures {
  private static final Logger LOG = LoggerFactory.getLogger(KeyFailures.class);

  private final RelayContext context;
  private final OwnedPartitions partitions;
  private final FencedWriteQueue writes;
  private final Sender sender;
  private final ParkedRetries retries;

  public KeyFailures(
      RelayContext context,
      OwnedPartitions partitions,
      FencedWriteQueue writes,
      Sender sender,
      ParkedRetries retries) {
    this.context = context;
    this.partitions = partitions;
    this.writes = writes;
    this.sender = sender;
    this.retries = retries;
  }

  /** Goes on with a key that has nothing in flight. */
  public void resolve(KeyState key) {
    PartitionState partition = partitions.get(key.partition);
    if (partition == null) {
      sender.drop(key);
    } else if (key.failures.isEmpty()) {
      proceed(key, partition);
    } else if (key.parkedGroup) {
      settleGroup(key, partition);
    } else {
      settleOutbox(key, partition);
    }
  }

  private void proceed(KeyState key, PartitionState partition) {
    if (!key.waiting.isEmpty()) {
      sender.launchWaiting(key);
    }
    if (key.inFlight > 0) {
      return;
    }
    if (key.parkedGroup) {
      settleGroup(key, partition);
    } else {
      sender.forget(key);
    }
  }

  // ---- messages that were in the outbox

  private void settleOutbox(KeyState key, PartitionState partition) {
    Deque<Failure> failed = sorted(key.failures);
    List<Failure> buried = new ArrayList<>();
    DestinationPolicy policy = policy(failed.getFirst());
    while (!failed.isEmpty() && isDead(failed.getFirst(), policy)) {
      buried.add(failed.removeFirst());
      if (policy.onDead() == DestinationPolicy.OnDead.BLOCK_KEY) {
        break;
      }
    }
    key.failures.clear();
    key.settling = true;
    boolean blocks = !buried.isEmpty() && policy.onDead() == DestinationPolicy.OnDead.BLOCK_KEY;
    bury(buried, partition.lease, blocks);
    if (blocks) {
      parkBehind(failed, key, partition);
    } else if (!failed.isEmpty() && failed.getFirst().result() instanceof Unavailable) {
      holdAll(failed, key, partition);
    } else if (!failed.isEmpty()) {
      parkHead(failed, key, partition, policy);
    }
    afterWrites(key, partition);
  }

  private void holdAll(Deque<Failure> failed, KeyState key, PartitionState partition) {
    for (Failure failure : failed) {
      failed(failure, null);
      sender.hold(failure.flight(), partition);
    }
    sender.holdWaiting(key);
  }

  private void parkHead(
      Deque<Failure> failed, KeyState key, PartitionState partition, DestinationPolicy policy) {
    Failure first = failed.removeFirst();
    StoredMessage row = first.flight().row;
    int attempts = row.attempts() + 1;
    Duration pause = policy.retry().pause(attempts).orElseThrow();
    failed(first, pause);
    context.listener().parked(row, failed.size() + key.waiting.size());
    ParkedEntry head = ParkedEntry.head(row, attempts, pause, reason(first));
    partition.blockedKeys.add(key.hash);
    writes.parkHead(partition.lease, head, () -> retries.dueIn(pause));
    parkBehind(failed, key, partition);
  }

  /** Parks what failed and what waits behind the head or the dead letter of the key. */
  private void parkBehind(Deque<Failure> failed, KeyState key, PartitionState partition) {
    partition.blockedKeys.add(key.hash);
    failed.forEach(f -> writes.follow(partition.lease, ParkedEntry.follower(f.flight().row)));
    key.waiting.forEach(f -> writes.follow(partition.lease, ParkedEntry.follower(f.row)));
    key.waiting.clear();
  }

  // ---- messages that were in the parked list

  private void settleGroup(KeyState key, PartitionState partition) {
    List<Position> acknowledged =
        key.acknowledged.stream().map(flight -> flight.row.position()).toList();
    List<ParkedEntry> heads = new ArrayList<>();
    List<Failure> buried = new ArrayList<>();
    if (!key.failures.isEmpty()) {
      judgeFirst(sorted(key.failures).getFirst(), heads, buried);
    }
    List<Position> rows = new ArrayList<>(acknowledged);
    key.failures.forEach(failure -> rows.add(failure.flight().row.position()));
    key.waiting.forEach(flight -> rows.add(flight.row.position()));
    key.failures.clear();
    key.acknowledged.clear();
    key.waiting.clear();
    key.settling = true;
    boolean blocks = !buried.isEmpty() && blocksKey(buried.get(0));
    if (!acknowledged.isEmpty() || !heads.isEmpty()) {
      settle(key, partition, acknowledged, heads, buried.isEmpty());
    }
    bury(buried, partition.lease, blocks);
    if (!buried.isEmpty() && !blocks) {
      settle(key, partition, List.of(), List.of(), true);
    }
    writes.afterwards(partition.lease, key.hash, rows, () -> sender.forget(key));
  }

  private void judgeFirst(Failure first, List<ParkedEntry> heads, List<Failure> buried) {
    StoredMessage row = first.flight().row;
    DestinationPolicy policy = policy(first);
    if (isDead(first, policy)) {
      buried.add(first);
      return;
    }
    if (first.result() instanceof Failed) {
      int attempts = row.attempts() + 1;
      Duration pause = policy.retry().pause(attempts).orElseThrow();
      heads.add(ParkedEntry.head(row, attempts, pause, reason(first)));
      failed(first, pause);
    } else {
      failed(first, null);
    }
  }

  /** Stores the outcome of a group; a key that nothing blocks any more is free again. */
  private void settle(
      KeyState key,
      PartitionState partition,
      List<Position> acknowledged,
      List<ParkedEntry> heads,
      boolean last) {
    writes.settle(
        new ParkedOutcome(partition.lease, key.hash, acknowledged, heads),
        List.of(),
        more -> {
          heads.forEach(head -> retries.dueIn(head.pause())); // it counts from this write on
          if (more && heads.isEmpty()) {
            retries.dueIn(Duration.ZERO);
          } else if (!more && last) {
            free(key, partition);
          }
        });
  }

  /** Unblocks a key, unless more of it is on the way into the parked list, where it gets a head. */
  private void free(KeyState key, PartitionState partition) {
    if (writes.hasFollowers(key.hash)) {
      writes.queueFollowers();
      retries.dueIn(Duration.ZERO);
    } else {
      partition.blockedKeys.remove(key.hash);
    }
  }

  // ---- both

  /** After the outcome is stored: whatever waited meanwhile goes on, or follows into the list. */
  private void afterWrites(KeyState key, PartitionState partition) {
    writes.afterwards(
        partition.lease,
        key.hash,
        List.of(),
        () -> {
          key.settling = false;
          if (partition.blockedKeys.contains(key.hash)) {
            parkBehind(new ArrayDeque<>(0), key, partition);
          }
          if (!key.waiting.isEmpty()) {
            sender.launchWaiting(key);
          }
          if (key.inFlight == 0 && key.waiting.isEmpty()) {
            sender.forget(key);
          }
        });
  }

  private void bury(List<Failure> failures, Lease lease, boolean blocksKey) {
    if (failures.isEmpty()) {
      return;
    }
    List<DeadEntry> burials = new ArrayList<>();
    List<Position> rows = new ArrayList<>();
    for (Failure failure : failures) {
      StoredMessage row = failure.flight().row;
      burials.add(DeadEntry.of(row, attempts(failure), reason(failure), blocksKey));
      rows.add(row.position());
    }
    DeadEntry first = burials.get(0);
    writes.add(
        lease,
        Subject.of(first.position(), first.keyHash()),
        () -> context.store().bury(lease, burials),
        rows,
        () -> failures.forEach(this::dead));
  }

  private void dead(Failure failure) {
    StoredMessage row = failure.flight().row;
    LOG.error(
        "Message {} is now a dead letter, to be requeued or discarded, after {} attempt(s): {}",
        row,
        attempts(failure),
        reason(failure));
    context.listener().dead(row, reason(failure));
  }

  private void failed(Failure failure, @Nullable Duration pause) {
    StoredMessage row = failure.flight().row;
    String next = pause == null ? "no pause" : "next attempt in " + DurationText.of(pause);
    LOG.debug("Message {} was not sent, {}: {}", row, next, reason(failure));
    context.listener().failed(row, reason(failure), pause);
  }

  /** What becomes of a single keyless message. */
  void resolveKeyless(Failure failure) {
    InFlight flight = failure.flight();
    StoredMessage row = flight.row;
    PartitionState partition = partitions.get(row.position().partition());
    if (partition == null || failure.result() instanceof Unavailable) {
      failed(failure, null);
      sender.hold(flight, partition);
    } else if (isDead(failure, policy(failure))) {
      bury(List.of(failure), partition.lease, false);
    } else {
      retryKeyless(failure, partition.lease);
    }
  }

  private void retryKeyless(Failure failure, Lease lease) {
    StoredMessage row = failure.flight().row;
    int attempts = row.attempts() + 1;
    Duration pause = policy(failure).retry().pause(attempts).orElseThrow();
    ParkedEntry head = ParkedEntry.head(row, attempts, pause, reason(failure));
    failed(failure, pause);
    Runnable due = () -> retries.dueIn(pause);
    if (failure.flight().source != InFlight.Source.PARKED) {
      context.listener().parked(row, 0);
      writes.parkHead(lease, head, due);
      return;
    }
    writes.settle(
        new ParkedOutcome(lease, 0, List.of(), List.of(head)),
        List.of(row.position()),
        more -> due.run());
  }

  private DestinationPolicy policy(Failure failure) {
    return context.policies().apply(failure.flight().row.message().destination());
  }

  private boolean blocksKey(Failure failure) {
    return policy(failure).onDead() == DestinationPolicy.OnDead.BLOCK_KEY;
  }

  private static boolean isDead(Failure failure, DestinationPolicy policy) {
    if (failure.result() instanceof Refused) {
      return true;
    }
    Optional<Duration> pause = policy.retry().pause(failure.flight().row.attempts() + 1);
    return failure.result() instanceof Failed && pause.isEmpty();
  }

  private static int attempts(Failure failure) {
    return failure.flight().row.attempts() + 1;
  }

  private static Deque<Failure> sorted(List<Failure> failures) {
    List<Failure> sorted = new ArrayList<>(failures);
    sorted.sort(Comparator.comparing(failure -> failure.flight().row.position()));
    return new ArrayDeque<>(sorted);
  }

  static String reason(Failure failure) {
    if (failure.result() instanceof Failed failed) {
      return failed.reason();
    }
    if (failure.result() instanceof Refused refused) {
      return refused.reason();
    }
    return failure.result() instanceof Unavailable unavailable ? unavailable.reason() : "";
  }
}
