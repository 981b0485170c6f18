package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.half.Marker;
import io.angarium.jdbc.internal.dialect.MarkerSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Markers of local transactions on PostgreSQL. */
public final class PostgresMarkerSql implements MarkerSql {
  private final TableNames names;

  PostgresMarkerSql(TableNames names) {
    this.names = names;
  }

  @Override
  public TableNames names() {
    return names;
  }

  /** Parameters: type, key, outcome. */
  private static final String INSERT_MARKER =
      """
      INSERT INTO outbox_marker (marker_type, marker_key, outcome)
      VALUES (?, ?, ?)
      ON CONFLICT DO NOTHING
      """;

  @Override
  public Sql insertMarker(Marker marker, String outcome) {
    return Sql.of(names.in(INSERT_MARKER), marker.type(), marker.key(), outcome);
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_MARKERS =
      """
      DELETE FROM outbox_marker
      WHERE ctid = ANY (ARRAY (
        SELECT ctid
        FROM outbox_marker
        WHERE created_at < statement_timestamp() - ? * interval '1 millisecond'
        ORDER BY created_at
        LIMIT ?))
      """;

  public Sql trimMarkers(Duration age, int limit) {
    return Sql.of(names.in(TRIM_MARKERS), age.toMillis(), limit);
  }

  @Override
  public int trimMarkers(Connection connection, Duration age, int limit) throws SQLException {
    return trimMarkers(age, limit).run(connection);
  }
}
