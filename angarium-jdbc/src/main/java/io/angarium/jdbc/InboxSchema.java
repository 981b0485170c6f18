package io.angarium.jdbc;

import io.angarium.ConfigurationException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of an inbox: creates what is missing, and says what is not as it should be. */
final class InboxSchema {
  private static final int VERSION = 1;
  private static final Logger LOG = LoggerFactory.getLogger(InboxSchema.class);

  private final InboxDialect dialect;
  private final InboxConfig config;

  InboxSchema(InboxDialect dialect, InboxConfig config) {
    this.dialect = dialect;
    this.config = config;
  }

  /**
   * Does what the configuration says about the tables.
   *
   * @param connection in any mode; its auto-commit is restored
   * @throws ConfigurationException if they are not as they should be; lists every fault
   */
  void prepare(Connection connection) throws SQLException {
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
      if (config.schemaMode() == SchemaMode.CREATE && !faults(connection).isEmpty()) {
        scripts().create(connection);
        LOG.info("Created tables {} with {}", dialect.names().in("inbox"), script());
      }
      List<String> faults = faults(connection);
      if (!faults.isEmpty()) {
        throw new ConfigurationException(faults);
      }
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }

  private String script() {
    return "angarium/inbox/" + dialect.server().folder() + "/V1__inbox.sql";
  }

  SchemaScripts scripts() {
    return new SchemaScripts(dialect.server(), dialect.names(), List.of(script()));
  }

  private List<String> faults(Connection connection) {
    List<String> faults = new ArrayList<>();
    try {
      dialect.probe().run(connection);
    } catch (SQLException e) {
      faults.add(fault(String.valueOf(e.getMessage())));
    }
    try {
      int version =
          dialect.schemaVersion().query(connection, row -> row.getInt(1)).stream()
              .findFirst()
              .orElse(0);
      if (version != VERSION) {
        faults.add(
            "table %s: version %d (expected: %d); run the later scripts, or upgrade this application"
                .formatted(dialect.names().in("inbox_schema"), version, VERSION));
      }
    } catch (SQLException e) {
      faults.add(fault(String.valueOf(e.getMessage())));
    }
    return faults;
  }

  private String fault(String message) {
    return "tables %s: %s (expected: as in %s); run that script, or set schema to create"
        .formatted(dialect.names().in("inbox"), message, script());
  }
}
