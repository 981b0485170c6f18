package io.angarium.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/** On H2: raises an error for rows whose column has a value of the table {@code planted}. */
public final class RefusingTrigger implements Trigger {
  private int column;

  /** Named {@code planted_<column from 0>}. */
  @Override
  public void init(
      Connection connection, String schema, String name, String table, boolean before, int type) {
    column = Integer.parseInt(name.toLowerCase(Locale.ROOT).replace("planted_", ""));
  }

  @Override
  public void fire(
      Connection connection, @Nullable Object @Nullable [] old, @Nullable Object @Nullable [] fresh)
      throws SQLException {
    Object[] row = fresh == null ? old : fresh;
    if (row == null) {
      return;
    }
    try (PreparedStatement query =
        connection.prepareStatement("SELECT v FROM planted WHERE v = ?")) {
      query.setString(1, String.valueOf(row[column]));
      try (ResultSet found = query.executeQuery()) {
        if (found.next()) {
          throw new SQLException("planted", "45000");
        }
      }
    }
  }
}
