package io.angarium.jdbc.internal.sql;

import java.sql.SQLException;
import java.util.Set;

/** What failures say of an error of the database. */
public final class FailureText {
  /** SQLStates: no such table or schema. */
  private static final Set<String> NO_SUCH_TABLE =
      Set.of("42P01", "3F000", "42S02", "42S03", "42S04");

  /** What H2 puts between its message and the statement, which fills the lines of a log. */
  private static final String H2_STATEMENT = "; SQL statement:";

  /** The table may also be one that a statement of the application names. */
  private static final String CREATED_BY =
      "; Angarium's tables are created by schema-mode=create or by the scripts that docs/schema.md"
          + " names";

  private FailureText() {}

  /** The SQLState and the message, to follow directly what failed. */
  public static String of(SQLException e) {
    return " (SQLState " + e.getSQLState() + "): " + message(e);
  }

  /** The message without the statement; if a table is missing, also what creates it. */
  public static String message(SQLException e) {
    String message = String.valueOf(e.getMessage());
    int statement = message.indexOf(H2_STATEMENT);
    String text = statement < 0 ? message : message.substring(0, statement);
    return NO_SUCH_TABLE.contains(String.valueOf(e.getSQLState())) ? text + CREATED_BY : text;
  }
}
