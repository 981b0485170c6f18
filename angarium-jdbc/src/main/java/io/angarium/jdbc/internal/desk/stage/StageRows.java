package io.angarium.jdbc.internal.desk.stage;

import io.angarium.Headers;
import io.angarium.MessageId;
import io.angarium.desk.MessageDetails;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one stage from the columns of {@link StageDialect}. Thread-safe. */
public final class StageRows {
  private static final int DUE = 15;
  private static final int IS_HEAD = 18;

  private final Dialect server;
  private final PlaceDialect places;
  private final Stage stage;
  private final boolean tellsSize;

  public StageRows(Dialect server, Stage stage) {
    this.server = server;
    this.places = new PlaceDialect(server);
    this.stage = stage;
    this.tellsSize = new StageDialect(server).tellsSize(stage);
  }

  /** Runs a statement and reads its rows; a parked one may be of the other stage of its table. */
  public List<MessageRow> read(Connection connection, Sql sql) throws SQLException {
    return sql.query(connection, this::row);
  }

  private MessageRow row(ResultSet row) throws SQLException {
    return new MessageRow(
        stageOf(row),
        new Position(row.getInt(1), row.getLong(2)),
        new MessageId(server.uuid(row, 3)),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getString(8),
        row.getString(9),
        row.getString(10),
        row.getLong(11),
        row.getInt(12),
        server.instant(row, 13),
        server.instant(row, 14),
        due(row),
        row.getString(16),
        row.getBoolean(17));
  }

  private Stage stageOf(ResultSet row) throws SQLException {
    return switch (stage) {
      case RETRYING, HELD -> row.getBoolean(IS_HEAD) ? Stage.RETRYING : Stage.HELD;
      default -> stage;
    };
  }

  private @Nullable Instant due(ResultSet row) throws SQLException {
    return row.getObject(DUE) == null ? null : server.instant(row, DUE);
  }

  /**
   * Adds the sizes of the payloads, where they did not come with the rows. Leaves out rows that
   * have gone meanwhile.
   */
  public List<MessageRow> sized(Connection connection, List<MessageRow> rows) throws SQLException {
    if (tellsSize || rows.isEmpty()) {
      return rows;
    }
    Map<Position, Long> sizes = new HashMap<>();
    places
        .sizes(stage, rows)
        .forEach(
            connection,
            row -> sizes.put(new Position(row.getInt(1), row.getLong(2)), row.getLong(3)));
    List<MessageRow> sized = new ArrayList<>();
    for (MessageRow row : rows) {
      Long bytes = sizes.get(row.position());
      if (bytes != null) {
        sized.add(row.payloadBytes(bytes));
      }
    }
    return sized;
  }

  /** Adds the headers; empty if the row has gone meanwhile. */
  public Optional<MessageDetails> details(Connection connection, MessageRow row)
      throws SQLException {
    return places
        .details(row)
        .query(
            connection,
            found ->
                new MessageDetails(
                    row.payloadBytes(found.getLong(2)), Headers.decode(found.getString(1))))
        .stream()
        .findFirst();
  }
}
