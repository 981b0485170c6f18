package io.angarium.jdbc.internal.dialect.mysql;

import static io.angarium.jdbc.internal.dialect.mysql.MySqlValues.micros;

import io.angarium.half.Marker;
import io.angarium.jdbc.internal.dialect.MarkerSql;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Markers of local transactions on MySQL and MariaDB. */
public final class MySqlMarkerSql implements MarkerSql {
  private final TableNames names;

  MySqlMarkerSql(TableNames names) {
    this.names = names;
  }

  @Override
  public TableNames names() {
    return names;
  }

  /** IGNORE ignores a duplicate, and has nothing else to ignore. Parameters: type, key, outcome. */
  private static final String INSERT_MARKER =
      """
      INSERT IGNORE INTO outbox_marker (marker_type, marker_key, outcome, created_at)
      VALUES (?, ?, ?, UTC_TIMESTAMP(6))
      """;

  @Override
  public Sql insertMarker(Marker marker, String outcome) {
    return Sql.of(names.in(INSERT_MARKER), marker.type(), marker.key(), outcome);
  }

  /** Locks nothing. Parameters: age in microseconds, limit. */
  private static final String OLD_MARKERS =
      """
      SELECT marker_type, marker_key
      FROM outbox_marker FORCE INDEX (by_time)
      WHERE created_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY created_at
      LIMIT ?
      """;

  public Sql oldMarkers(Duration age, int limit) {
    return Sql.of(names.in(OLD_MARKERS), micros(age), limit);
  }

  /** Parameter: rows of type, key. */
  private static final String DELETE_MARKERS =
      """
      DELETE outbox_marker
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          marker_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[0]',
          marker_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_marker FORCE INDEX (PRIMARY)
          ON outbox_marker.marker_type = v.marker_type AND outbox_marker.marker_key = v.marker_key
      """;

  public Sql deleteMarkers(List<Marker> markers) {
    return Sql.of(
        names.in(DELETE_MARKERS),
        JsonRows.of(markers, marker -> new Object[] {marker.type(), marker.key()}));
  }

  @Override
  public int trimMarkers(Connection connection, Duration age, int limit) throws SQLException {
    List<Marker> old =
        oldMarkers(age, limit)
            .query(connection, row -> new Marker(row.getString(1), row.getString(2)));
    int deleted = 0;
    for (int start = 0; start < old.size(); start += MySqlSendSql.INSERT_MAX) {
      int end = Math.min(start + MySqlSendSql.INSERT_MAX, old.size());
      deleted += deleteMarkers(old.subList(start, end)).run(connection);
    }
    return deleted;
  }
}
