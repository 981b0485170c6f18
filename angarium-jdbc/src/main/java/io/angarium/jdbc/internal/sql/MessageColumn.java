package io.angarium.jdbc.internal.sql;

import io.angarium.BusinessKey;
import io.angarium.intake.NewMessage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The columns that the insert of a message fills, in the order of the statements. */
public enum MessageColumn {
  PARTITION_NO,
  MESSAGE_ID,
  DESTINATION,
  MESSAGE_KEY,
  MESSAGE_TYPE,
  HEADERS,
  BUSINESS_TYPE,
  BUSINESS_KEY,
  CREATED_BY,
  PAYLOAD;

  /** All of them. */
  public static final List<MessageColumn> ALL = List.of(values());

  /** The columns that often hold the same in all rows of an insert, and are quickly compared. */
  private static final List<MessageColumn> OFTEN_COMMON =
      List.of(DESTINATION, MESSAGE_TYPE, CREATED_BY);

  private final String column = name().toLowerCase(Locale.ROOT);

  /** What of a message goes into this column; null if it has no such part. */
  @Nullable
  public Object of(NewMessage message) {
    return switch (this) {
      case PARTITION_NO -> message.partition();
      case MESSAGE_ID -> message.id().value();
      case DESTINATION -> message.message().destination().toString();
      case MESSAGE_KEY -> message.message().key();
      case MESSAGE_TYPE -> message.message().type();
      case HEADERS -> message.message().headers().encode();
      case BUSINESS_TYPE -> businessType(message.message().business());
      case BUSINESS_KEY -> businessKey(message.message().business());
      case CREATED_BY -> message.message().createdBy();
      case PAYLOAD -> message.message().payload();
    };
  }

  /** When a delayed message is due, rounded up to what databases store: never early. */
  public static Instant dueAt(NewMessage message) {
    Instant notBefore = Objects.requireNonNull(message.message().notBefore());
    Instant cut = notBefore.truncatedTo(ChronoUnit.MICROS);
    return cut.equals(notBefore) ? cut : cut.plus(1, ChronoUnit.MICROS);
  }

  private static @Nullable String businessType(@Nullable BusinessKey business) {
    return business == null ? null : business.type();
  }

  private static @Nullable String businessKey(@Nullable BusinessKey business) {
    return business == null ? null : business.key();
  }

  /** The values of all columns. */
  public static List<@Nullable Object> values(NewMessage message) {
    List<@Nullable Object> values = new ArrayList<>(ALL.size());
    for (MessageColumn column : ALL) {
      values.add(column.of(message));
    }
    return values;
  }

  /** The columns that any of the messages has a value for: every other one costs time, too. */
  public static List<MessageColumn> used(List<NewMessage> messages) {
    return ALL.stream()
        .filter(column -> messages.stream().anyMatch(message -> column.of(message) != null))
        .toList();
  }

  /**
   * Returns the columns of {@link #OFTEN_COMMON} that hold the same value in all rows, and are not
   * null.
   */
  public static List<MessageColumn> common(List<NewMessage> messages) {
    NewMessage first = messages.get(0);
    List<MessageColumn> common = new ArrayList<>(OFTEN_COMMON.size());
    for (MessageColumn column : OFTEN_COMMON) {
      Object value = column.plain(first);
      if (value != null && messages.stream().allMatch(m -> value.equals(column.plain(m)))) {
        common.add(column);
      }
    }
    return common;
  }

  /**
   * Returns the value as the message holds it: the text of a destination is made for a row only.
   */
  private @Nullable Object plain(NewMessage message) {
    return this == DESTINATION ? message.message().destination() : of(message);
  }

  /** The names, as statements list them. */
  public static String list(Collection<MessageColumn> columns) {
    return columns.stream().map(MessageColumn::toString).collect(Collectors.joining(", "));
  }

  /** The name of the column. */
  @Override
  public String toString() {
    return column;
  }
}
