package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import io.angarium.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * The features of one database whose tables this process has validated or created. A feature is
 * prepared once, when it is first asked for. Thread-safe.
 */
final class PreparedFeatures {
  private final DataSource dataSource;
  private final Schema schema;
  private final Set<SchemaFeature> prepared = ConcurrentHashMap.newKeySet();

  PreparedFeatures(DataSource dataSource, Dialect dialect, SchemaMode mode) {
    this.dataSource = dataSource;
    this.schema = new Schema(dialect, mode);
  }

  /** The features that a configuration asks for at the start, in the order of their scripts. */
  static Set<SchemaFeature> of(JdbcConfig config) {
    Set<SchemaFeature> features = EnumSet.of(SchemaFeature.OUTBOX);
    features.addAll(config.features());
    if (config.confirmation().required()) {
      features.add(SchemaFeature.CONFIRMATION); // the relay writes there
    }
    return features;
  }

  /** Prepares features on a connection that is at hand; see {@link Schema#prepare}. */
  void prepare(Connection connection, Collection<SchemaFeature> features) throws SQLException {
    schema.prepare(connection, features);
    prepared.addAll(features);
  }

  /**
   * Makes sure that the tables of a feature are as they should be. Takes a connection for a moment
   * the first time.
   *
   * @throws ConfigurationException if they are not; lists every fault
   * @throws StoreException if the database cannot be reached or refuses
   */
  void require(SchemaFeature feature) {
    if (prepared.contains(feature)) {
      return;
    }
    try (Connection connection = Session.take(dataSource)) {
      prepare(connection, List.of(feature));
    } catch (SQLException e) {
      throw failure(feature, e);
    }
  }

  /**
   * Tells whether a feature has tables, whoever uses them; creates none.
   *
   * @throws IllegalArgumentException for the inbox, whose tables are not those of an outbox
   * @throws StoreException if the database cannot be reached or refuses
   */
  boolean has(SchemaFeature feature) {
    if (feature == SchemaFeature.INBOX) {
      throw new IllegalArgumentException("feature: inbox (expected: one with tables of an outbox)");
    }
    if (prepared.contains(feature)) {
      return true;
    }
    try (Connection connection = Session.take(dataSource)) {
      return schema.hasAny(connection, feature);
    } catch (SQLException e) {
      throw failure(feature, e);
    }
  }

  private static StoreException failure(SchemaFeature feature, SQLException e) {
    return new StoreException(
        "Failed reading the tables of feature "
            + feature.title()
            + " (SQLState "
            + e.getSQLState()
            + "): "
            + e.getMessage(),
        e);
  }
}
