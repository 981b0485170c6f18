package io.angarium.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The version of a feature's tables that a database records. Immutable.
 *
 * @param version number of the last script that ran
 * @param worksFrom the earliest version whose code works with these tables
 */
record FeatureVersion(int version, int worksFrom) {
  /** The tables of Angarium 0.1, which recorded no versions by feature. */
  static final FeatureVersion FIRST = new FeatureVersion(1, 1);

  /** No tables. */
  static final FeatureVersion NONE = new FeatureVersion(0, 0);

  /** Reads a row of {@link Dialect#featureVersion}. */
  static FeatureVersion of(ResultSet row) throws SQLException {
    return new FeatureVersion(row.getInt(1), row.getInt(2));
  }

  /** True if the tables are newer than this code, which does not work with them. */
  boolean isTooNewFor(SchemaFeature feature) {
    return worksFrom > feature.version();
  }

  /** The fault of code that is too old for the tables, see {@link #isTooNewFor}. */
  String tooNew(SchemaFeature feature) {
    return ("feature %s: version %d, which works with code of version %d or newer (expected:"
            + " version %d); a newer Angarium has changed the tables, upgrade this application")
        .formatted(feature.title(), version, worksFrom, feature.version());
  }
}
