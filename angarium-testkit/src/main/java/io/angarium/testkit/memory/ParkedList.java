package io.angarium.testkit.memory;

import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.UnicodeText;
import io.angarium.store.ParkedEntry;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parked rows of an {@link InMemoryDatabase}. Guarded by the database's lock. */
final class ParkedList {
  private static final int ERROR_LENGTH_MAX = 1_000;

  private final TreeMap<Position, ParkedMessage> rows = new TreeMap<>();
  private final Map<Position, Instant> attempts = new HashMap<>();

  Collection<ParkedMessage> rows() {
    return rows.values();
  }

  /** How many are tried again. */
  long heads() {
    return rows.values().stream().filter(ParkedMessage::head).count();
  }

  /** When a message was tried last, or when it was written if it was not tried since. */
  Instant lastAttempt(ParkedMessage row) {
    return attempts.getOrDefault(row.message().position(), row.message().createdAt());
  }

  void replaceAll(Collection<ParkedMessage> others) {
    rows.clear();
    others.forEach(row -> rows.put(row.message().position(), row));
  }

  void add(StoredMessage row, ParkedEntry parking, Instant now) {
    StoredMessage counted = ParkedMessage.withAttempts(row, parking.attempts());
    Instant due = parking.head() ? now.plus(parking.pause()) : now;
    if (parking.head()) {
      attempts.put(row.position(), now);
    }
    rows.put(row.position(), new ParkedMessage(counted, parking.head(), due, cut(parking.error())));
  }

  /** Puts a message back at its old place. */
  void putBack(StoredMessage row, Instant now) {
    rows.put(row.position(), new ParkedMessage(row, false, now, null));
  }

  @Nullable StoredMessage remove(Position position) {
    ParkedMessage removed = rows.remove(position);
    attempts.remove(position);
    return removed == null ? null : removed.message();
  }

  /** Makes a failed message the only head of its key; false if it is not parked. */
  boolean fail(ParkedEntry failed, Instant now) {
    ParkedMessage row = rows.get(failed.position());
    if (row == null) {
      return false;
    }
    if (row.message().isKeyed()) {
      demoteHeads(failed.position().partition(), row.message().keyHash());
    }
    attempts.put(failed.position(), now);
    rows.put(
        failed.position(),
        row.failed(failed.attempts(), now.plus(failed.pause()), cut(failed.error())));
    return true;
  }

  /** Makes the lowest message of a key its only head, due at once. */
  void promoteLowest(int partition, long keyHash, Instant now) {
    ofKey(partition, keyHash)
        .findFirst()
        .ifPresent(
            lowest -> {
              demoteHeads(partition, keyHash);
              rows.put(lowest.message().position(), lowest.asHead(now));
            });
  }

  /** Makes all messages of a key wait for a dead letter. */
  void hold(int partition, long keyHash) {
    demoteHeads(partition, keyHash);
  }

  /** Makes a head due at once. */
  void dueNow(Position position, Instant now) {
    rows.computeIfPresent(position, (at, row) -> row.asHead(now));
  }

  Stream<ParkedMessage> ofKey(int partition, long keyHash) {
    return rows.values().stream()
        .filter(row -> row.message().isKeyed())
        .filter(row -> row.message().position().partition() == partition)
        .filter(row -> row.message().keyHash() == keyHash);
  }

  List<StoredMessage> due(Instant now) {
    return rows.values().stream()
        .filter(row -> row.head() && !row.dueAt().isAfter(now))
        .sorted(Comparator.comparing(ParkedMessage::dueAt)) // stable: ties by position
        .map(ParkedMessage::message)
        .toList();
  }

  void demoteHeads(int partition, long keyHash) {
    for (Map.Entry<Position, ParkedMessage> entry : rows.entrySet()) {
      StoredMessage message = entry.getValue().message();
      if (entry.getValue().head()
          && message.isKeyed()
          && message.position().partition() == partition
          && message.keyHash() == keyHash) {
        entry.setValue(entry.getValue().asFollower());
      }
    }
  }

  private static @Nullable String cut(@Nullable String error) {
    return error == null ? null : UnicodeText.cut(error, ERROR_LENGTH_MAX);
  }
}
