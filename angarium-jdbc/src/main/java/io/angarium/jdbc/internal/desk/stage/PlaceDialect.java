package io.angarium.jdbc.internal.desk.stage;

import static java.time.ZoneOffset.UTC;

import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Statements about a row whose place is known: its payload, headers and size. Thread-safe. */
public final class PlaceDialect {
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  /** Farther no database keeps bytes, and some take no larger number. */
  private static final long FROM_MAX = 1L << 30;

  private final TableNames names;
  private final ClockDialect clock;
  private final StageDialect stages;

  public PlaceDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
    this.stages = new StageDialect(server);
  }

  /** Parameters: number of the first byte, how many; partition, sequence, message id, time. */
  private static final String PAYLOAD =
      """
      SELECT SUBSTRING(payload, ?, ?)
      FROM :table
      WHERE partition_no = ? AND id = ? AND message_id = ?:unmoved
      """;

  /** A part of the payload of a row. */
  public Sql payload(MessageRow row, long from, int bytes) {
    return at(PAYLOAD, row, List.of((int) Math.min(from, FROM_MAX) + 1, bytes));
  }

  /** Parameters: partition, sequence, message id, time. */
  private static final String DETAILS =
      """
      SELECT headers, OCTET_LENGTH(payload)
      FROM :table
      WHERE partition_no = ? AND id = ? AND message_id = ?:unmoved
      """;

  /** The headers of a row, and the size of its payload. */
  Sql details(MessageRow row) {
    return at(DETAILS, row, List.of());
  }

  private Sql at(String text, MessageRow row, List<Object> before) {
    List<@Nullable Object> parameters = new ArrayList<>(before);
    parameters.add(row.position().partition());
    parameters.add(row.position().sequence());
    parameters.add(clock.bound(row.id().value()));
    String unmoved =
        switch (row.stage()) {
          case WAITING, DELAYED, DEAD, UNCONFIRMED -> "";
          case RETRYING -> " AND head = TRUE";
          case HELD -> " AND head = FALSE";
          case SENT -> " AND sent_at = ?";
          case DISCARDED -> " AND discarded_at = ?";
        };
    if (unmoved.endsWith("?")) {
      parameters.add(stages.bound(row.at()));
    }
    return new Sql(
        names.in(
            text.replace(":table", StageDialect.table(row.stage())).replace(":unmoved", unmoved)),
        parameters);
  }

  /** Looks up each row by its key. Parameter: rows of sequence, partition, time and message id. */
  private static final String SIZES =
      """
      SELECT o.partition_no, o.id, OCTET_LENGTH(o.payload)
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          stage_time DATETIME(6) PATH '$[2]',
          message_id CHAR(32) PATH '$[3]')) AS v
        STRAIGHT_JOIN :table AS o FORCE INDEX (PRIMARY)
          ON :key
      """;

  /** Partition, sequence and size of the payload of rows of one stage, on MySQL and MariaDB. */
  Sql sizes(Stage stage, List<MessageRow> rows) {
    String key =
        switch (stage) {
          case WAITING, RETRYING, HELD, DEAD -> "o.id = v.id AND o.partition_no = v.partition_no";
          case DELAYED -> "o.id = v.id";
          case SENT ->
              "o.sent_at = v.stage_time AND o.id = v.id AND o.partition_no = v.partition_no";
          case UNCONFIRMED -> "o.message_id = UNHEX(v.message_id)";
          case DISCARDED ->
              "o.discarded_at = v.stage_time AND o.id = v.id AND o.partition_no = v.partition_no";
        };
    String text = names.in(SIZES.replace(":table", StageDialect.table(stage)).replace(":key", key));
    return Sql.of(text, JsonRows.of(rows, PlaceDialect::json));
  }

  private static Object[] json(MessageRow row) {
    return new Object[] {
      row.position().sequence(),
      row.position().partition(),
      time(row.at()),
      BinaryIds.hex(row.id().value())
    };
  }

  private static String time(Instant at) {
    return MICROSECONDS.format(LocalDateTime.ofInstant(at, UTC));
  }
}
