package io.angarium.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source that opens a new connection each time. */
record ConnectionSource(Opener opener) implements DataSource {
  interface Opener {
    Connection open() throws SQLException;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return opener.open();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public PrintWriter getLogWriter() {
    throw new UnsupportedOperationException("no log");
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    // always the error stream
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // the drivers' own
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLFeatureNotSupportedException();
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
