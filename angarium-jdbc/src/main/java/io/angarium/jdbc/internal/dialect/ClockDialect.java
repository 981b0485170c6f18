package io.angarium.jdbc.internal.dialect;

import io.angarium.jdbc.internal.sql.BinaryIds;
import java.time.Duration;
import java.util.UUID;

/**
 * What differs between databases in statements that are the same otherwise: how they tell the time,
 * and how they take numbers and ids. In a text, {@code :now} is the time; {@code :later} and {@code
 * :earlier} differ from it by a parameter, see {@link #scaled}. Thread-safe.
 */
public enum ClockDialect {
  POSTGRESQL(
      "statement_timestamp()",
      "statement_timestamp() + ? * interval '1 millisecond'",
      "statement_timestamp() - ? * interval '1 millisecond'"),
  MYSQL(
      "UTC_TIMESTAMP(6)",
      "UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND",
      "UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND"),
  H2(
      "CURRENT_TIMESTAMP(6)",
      "DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(6))",
      "DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))");

  private final String now;
  private final String later;
  private final String earlier;

  ClockDialect(String now, String later, String earlier) {
    this.now = now;
    this.later = later;
    this.earlier = earlier;
  }

  /** That of a server. */
  public static ClockDialect of(Dialect server) {
    return switch (server.database()) {
      case "PostgreSQL" -> POSTGRESQL;
      case "H2" -> H2;
      default -> MYSQL;
    };
  }

  /** The text with the expressions of this database. */
  public String in(String text) {
    return text.replace(":now", now).replace(":later", later).replace(":earlier", earlier);
  }

  /** A span of time as the parameter of {@code :later} and {@code :earlier}. */
  public long scaled(Duration duration) {
    return this == MYSQL ? duration.toMillis() * 1_000 : duration.toMillis();
  }

  /** An id as a parameter. */
  public Object bound(UUID id) {
    return this == MYSQL ? BinaryIds.bytes(id) : id;
  }

  /** What a parameter is cast to where a number is wanted. */
  public String bigint() {
    return this == MYSQL ? "SIGNED" : "BIGINT";
  }
}
