package io.angarium.jdbc.internal.sql;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells errors that come again with the same statement from those that pass. An unknown one counts
 * as passing, so that it is tried again at once.
 */
public final class Refusals {
  /** Classes of SQL states: data, constraints, privileges and names, triggers that raise errors. */
  private static final Set<String> CLASSES =
      Set.of("0A", "21", "22", "23", "2F", "38", "39", "42", "44", "45", "54", "P0");

  /** PostgreSQL: no replica identity; H2: errors of triggers, and missing rights. */
  private static final Set<String> STATES = Set.of("55000", "90044", "90096");

  /** MySQL and MariaDB, as {@code HY000}: texts, defaults, checks, partitions, definers. */
  private static final Set<Integer> CODES =
      Set.of(1267, 1271, 1292, 1300, 1364, 1366, 1442, 1449, 1526, 3819, 3854, 3988, 4025);

  /** MySQL and MariaDB, as {@code 42000}: limits of a user that end by themselves. */
  private static final Set<Integer> PASSING = Set.of(1203, 1226, 1461);

  private Refusals() {}

  public static boolean isFinal(SQLException thrown) {
    for (SQLException e = thrown; e != null; e = e.getNextException()) {
      if (isFinal(e.getSQLState(), e.getErrorCode())) {
        return true;
      }
    }
    return thrown.getCause() instanceof SQLException cause
        && cause != thrown
        && isFinal(cause.getSQLState(), cause.getErrorCode());
  }

  private static boolean isFinal(@Nullable String state, int code) {
    if (state == null || state.length() < 2 || PASSING.contains(code)) {
      return false;
    }
    return CLASSES.contains(state.substring(0, 2))
        || STATES.contains(state)
        || (state.equals("HY000") && CODES.contains(code));
  }
}
