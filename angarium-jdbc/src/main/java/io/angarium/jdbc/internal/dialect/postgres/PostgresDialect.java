package io.angarium.jdbc.internal.dialect.postgres;

import io.angarium.jdbc.internal.catalogue.PostgresTableDialect;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/**
 * PostgreSQL 13 or newer. Lists travel as arrays, so that the number of statement texts is fixed.
 */
public final class PostgresDialect implements Dialect {
  private final TableNames names;
  private final PostgresSessionSql sessions;
  private final PostgresSchemaSql schema;
  private final PostgresSendSql sending;
  private final PostgresOutboxSql outbox;
  private final PostgresWorkSql work;
  private final PostgresParkedSql parked;
  private final PostgresDeadLetterSql deadLetters;
  private final PostgresMarkerSql markers;
  private final PostgresLeaseSql leases;

  public PostgresDialect(TableNames names) {
    this.names = names;
    this.sessions = new PostgresSessionSql();
    this.schema = new PostgresSchemaSql(names);
    this.sending = new PostgresSendSql(names);
    this.outbox = new PostgresOutboxSql(names);
    this.work = new PostgresWorkSql(names, outbox);
    this.parked = new PostgresParkedSql(names);
    this.deadLetters = new PostgresDeadLetterSql(names);
    this.markers = new PostgresMarkerSql(names);
    this.leases = new PostgresLeaseSql(names);
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public String database() {
    return "PostgreSQL";
  }

  @Override
  public String folder() {
    return "postgresql";
  }

  @Override
  public TableDialect tables() {
    return new PostgresTableDialect(names);
  }

  @Override
  public UUID uuid(ResultSet row, int column) throws SQLException {
    return PostgresValues.uuid(row, column);
  }

  @Override
  public Instant instant(ResultSet row, int column) throws SQLException {
    return PostgresValues.instant(row, column);
  }

  @Override
  public PostgresSessionSql sessions() {
    return sessions;
  }

  @Override
  public PostgresSchemaSql schema() {
    return schema;
  }

  @Override
  public PostgresSendSql sending() {
    return sending;
  }

  @Override
  public PostgresOutboxSql outbox() {
    return outbox;
  }

  @Override
  public PostgresWorkSql work() {
    return work;
  }

  @Override
  public PostgresParkedSql parked() {
    return parked;
  }

  @Override
  public PostgresDeadLetterSql deadLetters() {
    return deadLetters;
  }

  @Override
  public PostgresMarkerSql markers() {
    return markers;
  }

  @Override
  public PostgresLeaseSql leases() {
    return leases;
  }
}
