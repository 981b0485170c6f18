package io.angarium.jdbc.internal.schema;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of an outbox: creates missing ones and reports deviations, feature by feature. */
public final class Schema {
  private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

  private final Dialect dialect;
  private final SchemaMode mode;
  private final Set<String> acceptedTriggers;
  private final TableNames names;
  private final boolean history;

  public Schema(Dialect dialect, JdbcConfig config) {
    this.dialect = dialect;
    this.mode = config.schemaMode();
    this.acceptedTriggers = config.acceptedTriggers();
    this.names = dialect.names();
    this.history = config.history();
  }

  /**
   * Creates or validates the tables of some features, as the mode says.
   *
   * @param connection in any mode; its auto-commit is restored
   * @param features in the order in which their scripts run
   * @throws ConfigurationException if the tables deviate; lists every fault
   */
  public void prepare(Connection connection, Collection<SchemaFeature> features)
      throws SQLException {
    if (mode != SchemaMode.NONE) {
      synchronized (dialect.schema().createMonitor()) {
        prepareAlone(connection, features);
      }
    }
  }

  private void prepareAlone(Connection connection, Collection<SchemaFeature> features)
      throws SQLException {
    if (mode == SchemaMode.CREATE) {
      List<String> ran =
          new SchemaScripts(dialect, names, in -> pending(in, features)).create(connection);
      if (!ran.isEmpty()) {
        LOG.info("Ran on the tables {}: {}", names.shown(""), SchemaScripts.shown(ran));
      }
    }
    List<String> faults = faults(connection, features);
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
  }

  /** True if a table of the feature is there. */
  boolean hasAny(Connection connection, SchemaFeature feature) throws SQLException {
    synchronized (dialect.schema().createMonitor()) {
      return FoundTables.read(connection, dialect, names).hasAny(feature);
    }
  }

  /** The scripts that have not run. */
  private List<String> pending(Connection connection, Collection<SchemaFeature> features)
      throws SQLException {
    FoundTables found = FoundTables.read(connection, dialect, names);
    List<String> pending = new ArrayList<>();
    for (SchemaFeature feature : features) {
      int version = version(connection, found, feature).version();
      pending.addAll(FeatureScripts.after(feature, version, dialect));
    }
    return pending;
  }

  /** Tables can be dropped although a version is recorded: the scripts then run once more. */
  private FeatureVersion version(Connection connection, FoundTables found, SchemaFeature feature)
      throws SQLException {
    boolean complete = hasAll(found, feature);
    if (found.has("_feature")) {
      List<FeatureVersion> recorded =
          FeatureVersion.read(
              connection, dialect.schema().featureVersion(feature.name()), names.shown("_feature"));
      if (!recorded.isEmpty()) {
        return recorded.get(0).unlessDropped(complete, feature);
      }
    }
    return complete && found.has("_schema") && isFirst(connection, feature)
        ? FeatureVersion.FIRST
        : FeatureVersion.NONE;
  }

  /** What follows the prefix in the names of the tables that must be there. */
  private Set<String> expected(SchemaFeature feature) {
    Set<String> tables = new LinkedHashSet<>(ExpectedTables.of(feature));
    if (feature == SchemaFeature.OUTBOX && history) {
      tables.addAll(dialect.schema().historyTables());
    }
    return tables;
  }

  private boolean hasAll(FoundTables found, SchemaFeature feature) {
    return expected(feature).stream().allMatch(found::has);
  }

  /**
   * Tells whether complete tables without a recorded version belong to Angarium 0.1. A script that
   * was interrupted leaves such tables, too. The row in {@code outbox_schema} comes with the last
   * statement of the outbox's first script, and 0.1 counts its own scripts there.
   */
  private boolean isFirst(Connection connection, SchemaFeature feature) throws SQLException {
    List<Integer> counted =
        FeatureVersion.readCount(
            connection, dialect.schema().schemaVersion(), names.shown("_schema"));
    int least = feature == SchemaFeature.OUTBOX ? 1 : 2;
    return !counted.isEmpty() && counted.get(0) >= least;
  }

  private List<String> faults(Connection connection, Collection<SchemaFeature> features)
      throws SQLException {
    FoundTables found = FoundTables.read(connection, dialect, names);
    List<String> faults = new ArrayList<>();
    for (SchemaFeature feature : features) {
      FeatureVersion version = version(connection, found, feature);
      if (version.isTooNewFor(feature)) {
        faults.add(version.tooNew(feature));
      } else {
        faults.addAll(advice(feature).missing(expected(feature), version.version(), found));
        faults.addAll(ExpectedTables.columnFaults(feature, found, dialect));
        if (feature == SchemaFeature.OUTBOX && version.version() == 0 && hasAll(found, feature)) {
          faults.add(advice(feature).unfinished());
        }
        if (version.version() > 0 && version.version() < FeatureScripts.VERSION_MIN) {
          faults.add(tooOld(feature, version.version()));
        }
      }
    }
    List<String> there =
        features.stream()
            .flatMap(feature -> ExpectedTables.of(feature).stream())
            .filter(found::has)
            .toList();
    if (!there.isEmpty()) {
      faults.addAll(
          dialect.tables().faults(connection, TableDialect.Tables.OUTBOX, there, acceptedTriggers));
    }
    return faults;
  }

  private String tooOld(SchemaFeature feature, int version) {
    return "feature %s: version %d (expected: %d or newer); %s"
        .formatted(
            FeatureScripts.title(feature),
            version,
            FeatureScripts.VERSION_MIN,
            advice(feature).run(version));
  }

  private SchemaAdvice advice(SchemaFeature feature) {
    return new SchemaAdvice(feature, dialect, names, mode, "angarium.jdbc.schema-mode");
  }
}
