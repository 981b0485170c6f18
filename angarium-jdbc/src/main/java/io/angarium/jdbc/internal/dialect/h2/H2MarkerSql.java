package io.angarium.jdbc.internal.dialect.h2;

import static io.angarium.jdbc.internal.dialect.h2.H2Values.DUPLICATE;

import io.angarium.half.Marker;
import io.angarium.jdbc.internal.dialect.MarkerSql;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Markers of local transactions on H2. */
public final class H2MarkerSql implements MarkerSql {
  private final TableNames names;

  H2MarkerSql(TableNames names) {
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
      """;

  @Override
  public Sql insertMarker(Marker marker, String outcome) {
    return Sql.of(names.in(INSERT_MARKER), marker.type(), marker.key(), outcome);
  }

  @Override
  public boolean addMarker(Connection connection, Marker marker, String outcome)
      throws SQLException {
    try {
      return insertMarker(marker, outcome).update(connection) == 1;
    } catch (SQLException e) {
      if (DUPLICATE.equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  /** Parameters: age in milliseconds, limit. */
  private static final String TRIM_MARKERS =
      """
      DELETE FROM outbox_marker
      WHERE created_at < DATEADD(MILLISECOND, -?, CURRENT_TIMESTAMP(6))
      FETCH FIRST ? ROWS ONLY
      """;

  public Sql trimMarkers(Duration age, int limit) {
    return Sql.of(names.in(TRIM_MARKERS), age.toMillis(), limit);
  }

  @Override
  public int trimMarkers(Connection connection, Duration age, int limit) throws SQLException {
    return trimMarkers(age, limit).run(connection);
  }
}
