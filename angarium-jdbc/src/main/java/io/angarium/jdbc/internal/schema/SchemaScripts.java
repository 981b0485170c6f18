package io.angarium.jdbc.internal.schema;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.TableNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts that have not run on a database, in their order. Immutable.
 *
 * @param pending tells which have not
 */
public record SchemaScripts(Dialect server, TableNames names, Pending pending) {
  private static final int CREATE_ATTEMPTS_MAX = 10;
  private static final Logger LOG = LoggerFactory.getLogger(SchemaScripts.class);

  /** Finds the scripts that have not run, as resources on the class path. */
  @FunctionalInterface
  public interface Pending {
    List<String> in(Connection connection) throws SQLException;
  }

  /**
   * Runs what is pending. Others wait meanwhile and find nothing to do; where they cannot wait, the
   * loser of a race fails and begins anew.
   *
   * @param connection in any mode; its auto-commit is restored
   * @return the scripts that ran
   */
  public List<String> create(Connection connection) throws SQLException {
    if (pending.in(connection).isEmpty()) {
      return List.of();
    }
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    return thenAlways(
        () -> createPatiently(connection), () -> connection.setAutoCommit(autoCommit));
  }

  /** Scripts that ran, as a line of the log names them. */
  public static String shown(List<String> ran) {
    return ran.stream()
        .map(script -> script.substring(FeatureScripts.FOLDER.length()))
        .collect(Collectors.joining(", "));
  }

  private List<String> createPatiently(Connection connection) throws SQLException {
    for (int attempt = 1; attempt < CREATE_ATTEMPTS_MAX; attempt++) {
      try {
        return createOnce(connection);
      } catch (SQLException e) {
        if (connection.isClosed()) {
          throw e;
        }
        LOG.debug("Another node creates the tables, too (attempt {})", attempt, e);
      }
    }
    return createOnce(connection);
  }

  private List<String> createOnce(Connection connection) throws SQLException {
    return thenAlways(
        () -> runPending(connection), () -> server.schema().unlockAfterCreate(connection));
  }

  private List<String> runPending(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      server.schema().lockForCreate(connection);
      List<String> scripts = pending.in(connection);
      for (String script : scripts) {
        run(statement, script);
      }
      connection.commit();
      return scripts;
    } catch (SQLException | RuntimeException e) {
      alsoRun(e, connection::rollback);
      throw e;
    }
  }

  /** Something that a database does. */
  @FunctionalInterface
  private interface Step {
    void run() throws SQLException;
  }

  /** Work that runs scripts and returns their names. */
  @FunctionalInterface
  private interface Work {
    List<String> run() throws SQLException;
  }

  /** Runs some work and then a step, whose failure does not hide that of the work. */
  private static List<String> thenAlways(Work work, Step step) throws SQLException {
    List<String> result;
    try {
      result = work.run();
    } catch (SQLException | RuntimeException e) {
      alsoRun(e, step);
      throw e;
    }
    step.run();
    return result;
  }

  private static void alsoRun(Exception first, Step step) {
    try {
      step.run();
    } catch (SQLException | RuntimeException e) {
      first.addSuppressed(e);
    }
  }

  private void run(Statement statement, String script) throws SQLException {
    for (String sql : statements(script)) {
      try {
        statement.execute(names.in(sql));
      } catch (SQLException e) {
        if (!server.schema().isAlreadyThere(e)) {
          throw e;
        }
      }
    }
  }

  /** The statements of a script, without comments, and with the names as they are there. */
  public static List<String> statements(String resource) {
    String withoutComments = text(resource).replaceAll("(?m)--.*$", "");
    return Arrays.stream(withoutComments.split(";\\s*(?:\\n|$)", -1))
        .map(String::strip)
        .filter(sql -> !sql.isEmpty())
        .toList();
  }

  /** A script as it is. */
  public static String text(String resource) {
    try (InputStream in = SchemaScripts.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing from angarium-jdbc");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("Failed reading " + resource, e);
    }
  }
}
