package io.angarium.benchmarks.arm;

/** The databases of the comparison. */
public enum DatabaseKind {
  /** PostgreSQL. */
  POSTGRESQL,
  /** MariaDB. */
  MARIADB,
  /** MySQL: our own arms only. */
  MYSQL
}
