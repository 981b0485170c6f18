package io.angarium.console.internal.calls;

import io.angarium.desk.BoundedCount;
import io.angarium.desk.CauseGroup;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Scanned;
import io.angarium.desk.Stage;
import io.angarium.internal.ShownAddress;
import io.angarium.internal.UnicodeText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What answers say of messages. */
final class MessageJson {
  /** Characters of an error that a list shows. */
  private static final int ERROR_LENGTH_MAX = 300;

  private MessageJson() {}

  /** What a message is about. Immutable. */
  record Business(@Nullable String type, @Nullable String key) {}

  /** A message without its payload. Immutable. */
  record Row(
      Stage stage,
      String id,
      int partition,
      String sequence,
      String destination,
      @Nullable String key,
      @Nullable String type,
      @Nullable Business business,
      @Nullable String createdBy,
      @Nullable String updatedBy,
      long payloadBytes,
      int attempts,
      Instant createdAt,
      Instant at,
      @Nullable Instant dueAt,
      @Nullable String error,
      boolean blocksKey) {
    /** Shows it as a list does, with the begin of its error. */
    static Row listed(MessageRow row) {
      String error = row.error();
      return of(
          row,
          error == null || error.length() <= ERROR_LENGTH_MAX
              ? error
              : UnicodeText.cut(error, ERROR_LENGTH_MAX - 1) + "…");
    }

    /** With the whole error. */
    static Row whole(MessageRow row) {
      return of(row, row.error());
    }

    private static Row of(MessageRow row, @Nullable String error) {
      String businessType = row.businessType();
      return new Row(
          row.stage(),
          row.id().value().toString(),
          row.position().partition(),
          String.valueOf(row.position().sequence()),
          ShownAddress.of(row.destination()),
          row.key(),
          row.type(),
          businessType == null ? null : new Business(businessType, row.businessKey()),
          row.createdBy(),
          row.updatedBy(),
          row.payloadBytes(),
          row.attempts(),
          row.createdAt(),
          row.at(),
          row.dueAt(),
          error,
          row.blocksKey());
    }
  }

  /** A page of messages. Immutable. */
  record Page(List<Row> items, @Nullable String next, Scanned scanned, Instant now) {}

  /** Dead letters of one cause and destination. Immutable. */
  record Cause(
      String fingerprint,
      String text,
      String destination,
      int count,
      int blocking,
      Instant first,
      Instant latest,
      String sample,
      String reason) {
    static Cause of(CauseGroup group) {
      return new Cause(
          group.cause().fingerprint(),
          group.cause().text(),
          ShownAddress.of(group.destination()),
          group.count(),
          group.blocking(),
          group.first(),
          group.latest(),
          group.sample().value().toString(),
          group.reason());
    }
  }

  /** Groups of dead letters. Immutable. */
  record Causes(List<Cause> groups, BoundedCount of, int others, Scanned scanned, Instant now) {}
}
