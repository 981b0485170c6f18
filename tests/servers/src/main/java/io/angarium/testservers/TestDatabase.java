package io.angarium.testservers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * One database on a server, and the way in. Immutable.
 *
 * @param server the kind of server it is on
 * @param name the name of the database
 * @param url the JDBC URL, without user and password
 * @param user who may do everything in it
 * @param password the password of {@code user}, made at random for servers started by the tests
 */
public record TestDatabase(Server server, String name, String url, String user, String password) {
  /** Opens a connection, in auto-commit mode. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url, user, password);
  }

  /**
   * A connection in auto-commit mode that looks like a new one and may have been used before. Saves
   * PostgreSQL a process; {@link #connect()} is for tests to which a session of their own matters.
   */
  public Connection connectAgain() throws SQLException {
    return server == Server.POSTGRESQL ? KeptConnections.open(this) : connect();
  }

  /** Executes statements one after the other, each in a transaction of its own. */
  public void execute(String... statements) throws SQLException {
    try (Connection connection = connectAgain();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Asks for a number: the last column of the only row that a query finds. */
  public long number(String query) throws SQLException {
    try (Connection connection = connectAgain();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(row.getMetaData().getColumnCount());
    }
  }

  /**
   * The same database as reached through a proxy.
   *
   * @param proxy a proxy whose target is the server of this database
   */
  public TestDatabase through(FaultProxy proxy) {
    JdbcAddress address = JdbcAddress.parse(url);
    String through = address.at("127.0.0.1", proxy.port()).url(name);
    return new TestDatabase(server, name, through, user, password);
  }

  @Override
  public String toString() {
    return "TestDatabase[" + url + ", user=" + user + "]";
  }
}
