package io.angarium.jdbc.internal.schema;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.sql.AutoCommit;
import io.angarium.jdbc.internal.sql.FailureText;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The features of one database whose tables this process has validated or created. A feature is
 * prepared once, when it is first asked for. Thread-safe.
 */
public final class PreparedFeatures {
  private final OpenDatabase database;
  private final Schema schema;
  private final Set<SchemaFeature> prepared = ConcurrentHashMap.newKeySet();

  /**
   * @param prepared those that are already
   */
  public PreparedFeatures(OpenDatabase database, Schema schema, Set<SchemaFeature> prepared) {
    this.database = database;
    this.schema = schema;
    this.prepared.addAll(prepared);
  }

  /** The features that a configuration asks for at the start, in the order of their scripts. */
  public static Set<SchemaFeature> of(JdbcConfig config) {
    Set<SchemaFeature> features = EnumSet.of(SchemaFeature.OUTBOX);
    features.addAll(config.features());
    if (config.confirmation().required()) {
      features.add(SchemaFeature.CONFIRMATION); // the relay writes there
    }
    return features;
  }

  /**
   * Makes sure that the tables of a feature are as they should be. Takes a connection for a moment
   * the first time.
   *
   * @throws ConfigurationException if they are not; lists every fault
   * @throws StoreException if the database cannot be reached or refuses
   */
  public void require(SchemaFeature feature) {
    if (prepared.contains(feature)) {
      return;
    }
    try (AutoCommit alone = AutoCommit.begin(database.dataSource())) {
      Connection connection = alone.connection();
      check(connection);
      schema.prepare(connection, List.of(feature));
      prepared.add(feature);
    } catch (SQLException e) {
      throw failure(feature, e);
    }
  }

  /**
   * Makes sure that the account of the sessions may do what is needed. Takes a connection for a
   * moment.
   *
   * @throws ConfigurationException if a right is missing; lists every one
   * @throws StoreException if the database cannot be reached or refuses
   */
  public static void requireRights(
      OpenDatabase database, SchemaFeature feature, Collection<TableDialect.Need> needs) {
    if (database.config().schemaMode() == SchemaMode.NONE) {
      return;
    }
    try (AutoCommit alone = AutoCommit.begin(database.sessions().dataSource())) {
      List<String> missing = database.dialect().tables().missingRights(alone.connection(), needs);
      if (!missing.isEmpty()) {
        throw new ConfigurationException(missing);
      }
    } catch (SQLException e) {
      throw failure(feature, e);
    }
  }

  /**
   * Tells whether a feature has tables, no matter which process uses them; creates none.
   *
   * @throws IllegalArgumentException for the inbox, whose tables belong to no outbox
   * @throws StoreException if the database cannot be reached or refuses
   */
  public boolean has(SchemaFeature feature) {
    if (feature == SchemaFeature.INBOX) {
      throw new IllegalArgumentException("feature: inbox (expected: one with tables of an outbox)");
    }
    if (prepared.contains(feature)) {
      return true;
    }
    try (AutoCommit alone = AutoCommit.begin(database.dataSource())) {
      Connection connection = alone.connection();
      check(connection);
      return schema.hasAny(connection, feature);
    } catch (SQLException e) {
      throw failure(feature, e);
    }
  }

  private void check(Connection connection) throws SQLException {
    if (database.config().schemaMode() != SchemaMode.NONE) {
      database.source().check(connection);
    }
  }

  private static StoreException failure(SchemaFeature feature, SQLException e) {
    return new StoreException(
        "Failed reading the tables of feature " + FeatureScripts.title(feature) + FailureText.of(e),
        e);
  }
}
