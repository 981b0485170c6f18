package io.angarium.jdbc.internal.dialect.h2;

import io.angarium.jdbc.internal.catalogue.H2TableDialect;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/**
 * H2 2.4.240 or newer, in memory, in a file or as a server. Statements are cheap in one process, so
 * rare writes go row by row. CURRENT_TIMESTAMP is the start of the transaction, which makes leases
 * end early rather than late.
 */
public final class H2Dialect implements Dialect {
  private final TableNames names;
  private final H2SessionSql sessions;
  private final H2SchemaSql schema;
  private final H2SendSql sending;
  private final H2OutboxSql outbox;
  private final H2WorkSql work;
  private final H2ParkedSql parked;
  private final H2DeadLetterSql deadLetters;
  private final H2MarkerSql markers;
  private final H2LeaseSql leases;

  public H2Dialect(TableNames names) {
    this.names = names;
    this.sessions = new H2SessionSql();
    this.schema = new H2SchemaSql(names);
    this.sending = new H2SendSql(names);
    this.outbox = new H2OutboxSql(names);
    this.work = new H2WorkSql(names);
    this.parked = new H2ParkedSql(names, outbox);
    this.deadLetters = new H2DeadLetterSql(names, outbox, parked);
    this.markers = new H2MarkerSql(names);
    this.leases = new H2LeaseSql(names);
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public String database() {
    return "H2";
  }

  @Override
  public String folder() {
    return "h2";
  }

  @Override
  public TableDialect tables() {
    return new H2TableDialect(names);
  }

  @Override
  public UUID uuid(ResultSet row, int column) throws SQLException {
    return H2Values.uuid(row, column);
  }

  @Override
  public Instant instant(ResultSet row, int column) throws SQLException {
    return H2Values.instant(row, column);
  }

  @Override
  public H2SessionSql sessions() {
    return sessions;
  }

  @Override
  public H2SchemaSql schema() {
    return schema;
  }

  @Override
  public H2SendSql sending() {
    return sending;
  }

  @Override
  public H2OutboxSql outbox() {
    return outbox;
  }

  @Override
  public H2WorkSql work() {
    return work;
  }

  @Override
  public H2ParkedSql parked() {
    return parked;
  }

  @Override
  public H2DeadLetterSql deadLetters() {
    return deadLetters;
  }

  @Override
  public H2MarkerSql markers() {
    return markers;
  }

  @Override
  public H2LeaseSql leases() {
    return leases;
  }
}
