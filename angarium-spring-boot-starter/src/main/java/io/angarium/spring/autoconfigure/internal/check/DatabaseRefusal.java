package io.angarium.spring.autoconfigure.internal.check;

import java.sql.SQLException;
import java.util.Set;

/** Why a database cannot be used, as far as that decides what a person does next. */
enum DatabaseRefusal {
  /** Nobody answers at its address. */
  UNREACHABLE("Start the database, or correct %surl. Firewalls and TLS settings can be the cause."),
  /** It does not know the user or the password. */
  CREDENTIALS("Correct %susername and %spassword."),
  /** There is no such database on the server. */
  NO_DATABASE("Create the database, or correct its name in %surl."),
  /** Another process has the file of an embedded database. */
  IN_USE(
      "Stop the other process that has the file. For several processes use PostgreSQL, MySQL or"
          + " MariaDB, and name it in %surl."),
  /** The user may not do what was tried. */
  RIGHTS(
      "Grant the user what the answer names. To create tables it needs the right to create; else"
          + " let an administrator run the scripts of angarium/schema, and leave"
          + " angarium.jdbc.schema-mode at validate."),
  /** Anything else. */
  OTHER("Check that the database runs, that the connection is right, and what the answer says.");

  /** Errors of MySQL and MariaDB for a missing right to a database, a table or a column. */
  private static final Set<Integer> DENIED = Set.of(1044, 1142, 1143, 1227);

  private static final int UNKNOWN_DATABASE = 1049;
  private static final Set<String> OF_H2_DATABASE = Set.of("90013", "90146", "90149");
  private static final String OF_H2_RIGHTS = "90096";
  private static final String OF_H2_FILE_IN_USE = "90020";

  private final String action;

  DatabaseRefusal(String action) {
    this.action = action;
  }

  static DatabaseRefusal of(SQLException answer) {
    String state = String.valueOf(answer.getSQLState());
    if (DENIED.contains(answer.getErrorCode())
        || state.equals("42501")
        || state.equals(OF_H2_RIGHTS)) {
      return RIGHTS;
    }
    if (answer.getErrorCode() == UNKNOWN_DATABASE
        || state.equals("3D000")
        || OF_H2_DATABASE.contains(state)) {
      return NO_DATABASE;
    }
    if (state.equals(OF_H2_FILE_IN_USE)) {
      return IN_USE;
    }
    if (state.startsWith("28")) {
      return CREDENTIALS;
    }
    return state.startsWith("08") ? UNREACHABLE : OTHER;
  }

  /**
   * What to do next.
   *
   * @param properties what the names of the connection's settings begin with
   */
  String action(String properties) {
    return action.replace("%s", properties);
  }
}
