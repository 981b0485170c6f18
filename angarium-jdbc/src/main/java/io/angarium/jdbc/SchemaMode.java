package io.angarium.jdbc;

/** What is done about the tables when a database is opened. */
public enum SchemaMode {
  /** Checks that they exist in the right version and form; the default. */
  VALIDATE,
  /** Creates what is missing, then checks. Safe when several nodes start at once. */
  CREATE,
  /** Nothing: the first statement fails if they are missing. */
  NONE
}
