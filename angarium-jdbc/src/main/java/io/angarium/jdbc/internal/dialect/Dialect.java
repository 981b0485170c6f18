package io.angarium.jdbc.internal.dialect;

import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/**
 * One database: its name, how it returns values, and its statements as whole text blocks, in one
 * slice for each subject. Thread-safe.
 */
public interface Dialect {
  /** The database's name as its makers write it. */
  String database();

  /** The folder of its schema scripts. */
  String folder();

  /** What the catalogue says about the tables. */
  TableDialect tables();

  /** The names of the tables. */
  TableNames names();

  /** Reads a column that holds a UUID. */
  UUID uuid(ResultSet row, int column) throws SQLException;

  /** Reads a column that holds a point in time. */
  Instant instant(ResultSet row, int column) throws SQLException;

  /** Settings of sessions, their transactions, and what their errors mean. */
  SessionSql sessions();

  /** The tables as a whole, and the server that holds them. */
  SchemaSql schema();

  /** What producers write in their transactions. */
  SendSql sending();

  /** The rows of the outbox and their sequence. */
  OutboxSql outbox();

  /** The backlog, and delayed messages that are due. */
  WorkSql work();

  /** Parked messages and their attempts. */
  ParkedSql parked();

  /** Dead letters. */
  DeadLetterSql deadLetters();

  /** Markers of local transactions. */
  MarkerSql markers();

  /** Nodes, their heartbeats and transports, and leases. */
  LeaseSql leases();
}
