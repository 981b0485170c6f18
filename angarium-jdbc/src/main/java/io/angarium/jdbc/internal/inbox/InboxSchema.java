package io.angarium.jdbc.internal.inbox;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.schema.ExpectedTables;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.internal.schema.FeatureVersion;
import io.angarium.jdbc.internal.schema.FoundTables;
import io.angarium.jdbc.internal.schema.SchemaAdvice;
import io.angarium.jdbc.internal.schema.SchemaScripts;
import io.angarium.jdbc.internal.sql.FailureText;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.OtherServer;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of an inbox: creates what is missing, and says what is not as it should be. */
public final class InboxSchema {
  private static final SchemaFeature FEATURE = SchemaFeature.INBOX;
  private static final Logger LOG = LoggerFactory.getLogger(InboxSchema.class);

  private final InboxDialect dialect;
  private final InboxConfig config;
  private final boolean other;

  /**
   * Does nothing yet.
   *
   * @param other whether it is an {@link OtherServer}, whose catalogue is not looked at
   */
  public InboxSchema(InboxDialect dialect, InboxConfig config, boolean other) {
    this.dialect = dialect;
    this.config = config;
    this.other = other;
  }

  /**
   * Does what the configuration says about the tables.
   *
   * @param connection in any mode; its auto-commit is restored
   * @throws ConfigurationException if they are not as they should be; lists every fault
   */
  public void prepare(Connection connection) throws SQLException {
    List<String> ofConnections = dialect.connectionFaults(connection);
    if (!ofConnections.isEmpty()) {
      throw new ConfigurationException(ofConnections);
    }
    if (config.schemaMode() == SchemaMode.NONE) {
      return;
    }
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(true); // a statement that fails would end a transaction
    try {
      synchronized (dialect.server().schema().createMonitor()) {
        prepareAlone(connection);
      }
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }

  private void prepareAlone(Connection connection) throws SQLException {
    if (config.schemaMode() == SchemaMode.CREATE) {
      create(connection);
    }
    List<String> faults = faults(connection);
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
  }

  private void create(Connection connection) throws SQLException {
    List<String> ran =
        new SchemaScripts(dialect.server(), dialect.names(), this::pending).create(connection);
    if (!ran.isEmpty()) {
      LOG.info("Ran on the tables {}: {}", dialect.names().shown(""), SchemaScripts.shown(ran));
    }
  }

  private List<String> pending(Connection connection) throws SQLException {
    return FeatureScripts.after(
        FEATURE, version(connection, found(connection)).version(), dialect.server());
  }

  /**
   * Tables can be dropped although a version is recorded: the scripts then run once more. Tables
   * without a recorded version belong to Angarium 0.1, or to a script that was interrupted. The row
   * in {@code inbox_schema} comes with the last statement of the first script.
   */
  private FeatureVersion version(Connection connection, FoundTables found) throws SQLException {
    boolean complete = dialect.tables().stream().allMatch(found::has);
    if (found.has("_feature")) {
      List<FeatureVersion> recorded =
          FeatureVersion.read(
              connection, dialect.featureVersion(), dialect.names().shown("_feature"));
      if (!recorded.isEmpty()) {
        return recorded.get(0).unlessDropped(complete, FEATURE);
      }
    }
    return complete && isCounted(connection) ? FeatureVersion.FIRST : FeatureVersion.NONE;
  }

  private FoundTables found(Connection connection) throws SQLException {
    return FoundTables.read(connection, dialect.server(), dialect.names());
  }

  private boolean isCounted(Connection connection) throws SQLException {
    return !FeatureVersion.readCount(
            connection, dialect.schemaVersion(), dialect.names().shown("_schema"))
        .isEmpty();
  }

  private List<String> faults(Connection connection) throws SQLException {
    FoundTables found = found(connection);
    FeatureVersion version = version(connection, found);
    if (version.isTooNewFor(FEATURE)) {
      return List.of(version.tooNew(FEATURE));
    }
    List<String> faults =
        new ArrayList<>(advice().missing(dialect.tables(), version.version(), found));
    if (!other) {
      String folder = FeatureScripts.folder(FEATURE, dialect.server());
      faults.addAll(ExpectedTables.columnFaults(dialect.columns(), found, dialect.names(), folder));
      faults.addAll(catalogueFaults(connection, dialect.tables().stream().filter(found::has)));
    }
    return faults.isEmpty() ? faultsInUse(connection, version) : faults;
  }

  private List<String> catalogueFaults(Connection connection, Stream<String> there)
      throws SQLException {
    List<String> tables = there.toList();
    return tables.isEmpty()
        ? List.of()
        : dialect
            .server()
            .tables()
            .faults(connection, TableDialect.Tables.INBOX, tables, config.acceptedTriggers());
  }

  /** What complete tables lack. */
  private List<String> faultsInUse(Connection connection, FeatureVersion version)
      throws SQLException {
    try {
      dialect.probe().run(connection);
    } catch (SQLException e) {
      return List.of(
          "tables %s: %s (expected: as in %s); %s"
              .formatted(
                  dialect.names().shown(""),
                  FailureText.message(e),
                  FeatureScripts.folder(FEATURE, dialect.server()),
                  advice().run(0)));
    }
    if (version.version() == 0) {
      return List.of(advice().unfinished());
    }
    return other
        ? List.of()
        : dialect.server().tables().missingRights(connection, TableDialect.OF_INBOX);
  }

  private SchemaAdvice advice() {
    return new SchemaAdvice(
        FEATURE,
        dialect.server(),
        dialect.names(),
        config.schemaMode(),
        "angarium.inbox.schema-mode");
  }
}
