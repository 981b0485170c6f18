package io.angarium.jdbc.settings;

/** What is done about the tables when a database, or a feature of it, is opened. */
public enum SchemaMode {
  /**
   * Checks that the tables exist in a form that this code works with; the default. Tables of a
   * newer version are right as long as they say that this code works with them.
   */
  VALIDATE,
  /** Runs the scripts that have not run, then checks. Safe when several nodes start at once. */
  CREATE,
  /** Nothing: the first statement fails if they are missing. */
  NONE
}
