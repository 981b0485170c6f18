package io.angarium.console.internal.calls;

import io.angarium.MessageId;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.FoundMessage;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What happened to a message, as far as its rows and the audit tell. */
final class Moments {
  private static final int UUID_WITH_TIME = 7;

  private Moments() {}

  /** Kinds of moments, in the order in which they are shown if they have the same time. */
  enum Kind {
    CREATED,
    WRITTEN,
    ATTEMPT,
    PARKED,
    DEAD,
    DISCARDED,
    ACT,
    SENT,
    UNCONFIRMED,
    DUE
  }

  /**
   * Something that happened, or is planned. Immutable.
   *
   * @param text what is worth knowing; null if nothing is
   * @param by who did it; null if that is unknown
   * @param exact false for a time that is inferred
   */
  record Moment(Instant at, Kind kind, @Nullable String text, @Nullable String by, boolean exact) {}

  /** All moments, the earliest first. */
  static List<Moment> of(FoundMessage found, List<AuditEntry> acts) {
    List<Moment> moments = new ArrayList<>();
    if (found.id().value().version() == UUID_WITH_TIME) {
      moments.add(new Moment(timeOf(found.id()), Kind.CREATED, null, null, false));
    }
    found.places().stream().map(MessageDetails::row).forEach(row -> add(moments, row));
    for (AuditEntry act : acts) {
      String reason = act.by().decision().reason();
      moments.add(
          new Moment(
              act.at(), Kind.ACT, act.act() + ": " + reason, act.by().decision().by(), true));
    }
    moments.sort(Comparator.comparing(Moment::at).thenComparing(Moment::kind));
    return moments.stream().distinct().toList();
  }

  private static Instant timeOf(MessageId id) {
    return Instant.ofEpochMilli(id.value().getMostSignificantBits() >>> 16);
  }

  private static void add(List<Moment> moments, MessageRow row) {
    String place =
        "partition " + row.position().partition() + ", number " + row.position().sequence();
    moments.add(new Moment(row.createdAt(), Kind.WRITTEN, place, row.createdBy(), true));
    String error = row.error();
    switch (row.stage()) {
      case WAITING -> {}
      case HELD -> moments.add(new Moment(row.createdAt(), Kind.PARKED, null, null, false));
      case DELAYED -> due(moments, row);
      case RETRYING -> {
        moments.add(new Moment(row.at(), Kind.ATTEMPT, attempt(row, error), null, true));
        due(moments, row);
      }
      case DEAD -> moments.add(new Moment(row.at(), Kind.DEAD, attempt(row, error), null, true));
      case SENT -> moments.add(new Moment(row.at(), Kind.SENT, null, null, true));
      case UNCONFIRMED -> {
        moments.add(new Moment(row.at(), Kind.SENT, null, null, true));
        due(moments, row);
      }
      case DISCARDED ->
          moments.add(new Moment(row.at(), Kind.DISCARDED, error, row.updatedBy(), true));
    }
  }

  private static String attempt(MessageRow row, @Nullable String error) {
    return "attempt " + row.attempts() + (error == null ? "" : ": " + error);
  }

  private static void due(List<Moment> moments, MessageRow row) {
    Instant due = row.dueAt();
    if (due != null) {
      moments.add(new Moment(due, Kind.DUE, null, null, true));
    }
  }
}
