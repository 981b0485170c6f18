package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Parameters for statements on MySQL and MariaDB, and values of their results. */
public final class MySqlValues {
  /** Longer than a gap and the farthest offset together. */
  private static final long CALM_MILLIS = TimeUnit.DAYS.toMillis(2);

  private MySqlValues() {}

  /**
   * A time as it is stored. MariaDB's driver moves times that do not exist in the zone of the JVM,
   * whatever the type. Given a calendar it does not, but that takes 500 bytes a row.
   */
  static LocalDateTime time(ResultSet row, int column) throws SQLException {
    LocalDateTime read = Objects.requireNonNull(row.getObject(column, LocalDateTime.class));
    if (isCalm(read) || !followsGap(read, ZoneId.systemDefault().getRules())) {
      return read;
    }
    Calendar utc = Calendar.getInstance(TimeZone.getTimeZone(ZoneOffset.UTC), Locale.ROOT);
    Timestamp time = Objects.requireNonNull(row.getTimestamp(column, utc));
    return LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC);
  }

  /**
   * Whether the zone of the JVM has the same offset two days before and after a time. Costs less
   * than to look for its last gap.
   */
  private static boolean isCalm(LocalDateTime time) {
    TimeZone zone = TimeZone.getDefault();
    long millis = TimeUnit.SECONDS.toMillis(time.toEpochSecond(ZoneOffset.UTC));
    return zone.getOffset(millis - CALM_MILLIS) == zone.getOffset(millis + CALM_MILLIS);
  }

  /** Whether a time is so short after a gap of a zone that it may have been moved out of it. */
  private static boolean followsGap(LocalDateTime time, ZoneRules zone) {
    Instant after = time.toInstant(zone.getOffset(time)).plusNanos(1);
    ZoneOffsetTransition last = zone.previousTransition(after);
    return last != null
        && last.isGap()
        && time.isBefore(last.getDateTimeAfter().plus(last.getDuration()));
  }

  /** What of a message goes into a column: its id as bytes. */
  public static @Nullable Object value(MessageColumn column, NewMessage message) {
    return column == MessageColumn.MESSAGE_ID
        ? BinaryIds.bytes(message.id().value())
        : column.of(message);
  }

  static Sql bounded(int inline, Sql sql) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(inline));
    parameters.addAll(sql.parameters());
    return new Sql(sql.text(), parameters);
  }

  static Sql atPositions(String text, List<Position> positions) {
    return Sql.of(
        text,
        JsonRows.of(
            positions, position -> new Object[] {position.sequence(), position.partition()}));
  }

  static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }

  static UUID uuid(ResultSet row, int column) throws SQLException {
    return BinaryIds.uuid(row.getBytes(column));
  }

  static Instant instant(ResultSet row, int column) throws SQLException {
    return time(row, column).toInstant(ZoneOffset.UTC);
  }
}
