package io.angarium.jdbc.internal.dialect;

import io.angarium.half.Marker;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Markers of local transactions. Thread-safe. */
public interface MarkerSql {
  /** The names of the tables. */
  TableNames names();

  /** The outcome of a marker, which stays as it is; the same text on every database. */
  default Sql markerOutcome(Marker marker) {
    return Sql.of(
        names()
            .in(
                """
                SELECT outcome
                FROM outbox_marker
                WHERE marker_type = ? AND marker_key = ?
                """),
        marker.type(),
        marker.key());
  }

  /** Key and outcome of those markers that are there; the same text on every database. */
  default Sql markerOutcomes(String type, Collection<String> keys) {
    List<@Nullable Object> padded = Repeated.padded(keys);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(type);
    parameters.addAll(padded);
    String text =
        names()
            .in(
                """
                SELECT marker_key, outcome
                FROM outbox_marker
                WHERE marker_type = ? AND marker_key IN ({?|, })
                """);
    return new Sql(Repeated.times(text, padded.size()), parameters);
  }

  /** Inserts a marker. */
  Sql insertMarker(Marker marker, String outcome);

  /**
   * Runs {@link #insertMarker}; waits for a transaction that is open and has written it.
   *
   * @return false if it is there already
   */
  default boolean addMarker(Connection connection, Marker marker, String outcome)
      throws SQLException {
    return insertMarker(marker, outcome).update(connection) == 1;
  }

  /** Deletes markers older than an age; returns how many. */
  int trimMarkers(Connection connection, Duration age, int limit) throws SQLException;
}
