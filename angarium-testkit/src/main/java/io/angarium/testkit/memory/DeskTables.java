package io.angarium.testkit.memory;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.deadletter.DeadLetter;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link InMemoryDatabase} keeps for persons beside its messages: the discarded ones, those
 * that no consumer has confirmed, and the audit. Guarded by the database's lock.
 */
final class DeskTables {
  /**
   * A message that a person took away.
   *
   * @param dead as it was dead; null if it was delayed
   * @param next the first message that waited for it; null if none did
   */
  record Discarded(
      StoredMessage message,
      @Nullable DeadLetter dead,
      @Nullable Position next,
      Instant at,
      ActBy by) {}

  /** A message that was sent and is not confirmed. */
  record Unconfirmed(StoredMessage message, Instant at) {
    Instant dueAt() {
      return at.plus(ConfirmationConfig.NONE.timeout());
    }
  }

  final List<Discarded> discarded = new ArrayList<>();
  final Map<MessageId, Unconfirmed> unconfirmed = new LinkedHashMap<>();
  final List<AuditEntry> audit = new ArrayList<>();

  /** Destinations whose messages are kept until they are confirmed. */
  final Set<Destination> confirmed = new HashSet<>();

  boolean auditBroken;

  DeskTables copy() {
    DeskTables copy = new DeskTables();
    copy.replaceAll(this);
    return copy;
  }

  void replaceAll(DeskTables other) {
    discarded.clear();
    discarded.addAll(other.discarded);
    unconfirmed.clear();
    unconfirmed.putAll(other.unconfirmed);
    audit.clear();
    audit.addAll(other.audit);
  }

  void recordSent(StoredMessage message, Instant now) {
    if (confirmed.contains(message.message().destination())) {
      unconfirmed.put(message.id(), new Unconfirmed(message, now));
    }
  }

  /** Whether a message is discarded, and an operation did it. */
  boolean isDiscardedBy(UUID operation, MessageId id) {
    return discarded.stream()
        .anyMatch(
            each -> each.message().id().equals(id) && operation.equals(each.by().operation()));
  }

  /** Adds entries, all or none. */
  void note(List<AuditEntry> entries, Instant now) {
    if (auditBroken) {
      throw new StoreException("The audit takes no entry", null);
    }
    for (AuditEntry entry : entries) {
      audit.add(
          new AuditEntry(
              audit.size() + 1L,
              now,
              entry.by(),
              entry.act(),
              entry.targetKind(),
              entry.target(),
              entry.details()));
    }
  }
}
