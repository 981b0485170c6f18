package io.angarium.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scripts that create tables, only what is missing, in the order in which they run. Immutable.
 *
 * @param resources on the class path
 */
record SchemaScripts(Dialect server, TableNames names, List<String> resources) {
  private static final int CREATE_ATTEMPTS_MAX = 10;
  private static final Logger LOG = LoggerFactory.getLogger(SchemaScripts.class);

  /**
   * Runs them. Where tables cannot be locked against a second node, the loser of a race fails and
   * goes over the scripts again.
   *
   * @param connection in any mode; its auto-commit is restored
   */
  void create(Connection connection) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      for (int attempt = 1; !tryCreate(connection, attempt == CREATE_ATTEMPTS_MAX); attempt++) {
        LOG.debug("Another node creates the tables, too (attempt {})", attempt);
      }
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }

  private boolean tryCreate(Connection connection, boolean last) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : server.lockForCreate()) {
        statement.execute(sql);
      }
      for (String sql : statements()) {
        statement.execute(names.in(sql));
      }
      connection.commit();
      return true;
    } catch (SQLException e) {
      connection.rollback();
      if (last) {
        throw e;
      }
      return false;
    }
  }

  /** Without comments, and with the names as they are in the scripts. */
  List<String> statements() {
    return resources.stream().flatMap(SchemaScripts::statements).toList();
  }

  private static Stream<String> statements(String resource) {
    try (InputStream in = SchemaScripts.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from angarium-jdbc");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String withoutComments = text.replaceAll("(?m)--.*$", "");
      return Arrays.stream(withoutComments.split(";\\s*(?:\\n|$)", -1))
          .map(String::strip)
          .filter(sql -> !sql.isEmpty());
    } catch (IOException e) {
      throw new IllegalStateException("Failed reading " + resource, e);
    }
  }
}
