package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.jdbc.internal.catalogue.MySqlFamilyTableDialect;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.TableNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;

/**
 * MySQL and MariaDB: every statement they share, and through a {@link MySqlVariant} what each does
 * in its own way.
 *
 * <p>Reads of the relay are plain reads under READ COMMITTED, which lock nothing. Rows to be locked
 * or changed are named by a JSON table that is joined to the primary key in the order given. So the
 * plan is the same whatever the statistics say. With the statistics of a table that is usually
 * empty it would be a full scan, which waits for open inserts. Only rows named are locked, and
 * always in the same order. {@link MySqlOutboxSql#deleteByScan} locks others too, for a moment, but
 * never waits. Times are kept in UTC and never converted by the session's time zone.
 */
public final class MySqlFamily implements Dialect {
  private final TableNames names;
  private final MySqlVariant variant;
  private final MySqlSessionSql sessions;
  private final MySqlSchemaSql schema;
  private final MySqlSendSql sending;
  private final MySqlOutboxSql outbox;
  private final MySqlWorkSql work;
  private final MySqlParkedSql parked;
  private final MySqlDeadLetterSql deadLetters;
  private final MySqlMarkerSql markers;
  private final MySqlLeaseSql leases;

  public MySqlFamily(TableNames names, MySqlVariant variant) {
    this.names = names;
    this.variant = variant;
    this.sessions = new MySqlSessionSql(variant);
    this.schema = new MySqlSchemaSql(names, variant);
    this.sending = new MySqlSendSql(names, variant);
    this.outbox = new MySqlOutboxSql(names, variant);
    this.work = new MySqlWorkSql(names);
    this.parked = new MySqlParkedSql(names, variant, outbox);
    this.deadLetters = new MySqlDeadLetterSql(names, outbox, parked);
    this.markers = new MySqlMarkerSql(names);
    this.leases = new MySqlLeaseSql(names, variant);
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public String database() {
    return variant.database();
  }

  @Override
  public String folder() {
    return variant.folder();
  }

  public MySqlVariant variant() {
    return variant;
  }

  @Override
  public TableDialect tables() {
    return new MySqlFamilyTableDialect(names, variant.collation());
  }

  @Override
  public UUID uuid(ResultSet row, int column) throws SQLException {
    return MySqlValues.uuid(row, column);
  }

  @Override
  public Instant instant(ResultSet row, int column) throws SQLException {
    return MySqlValues.instant(row, column);
  }

  @Override
  public MySqlSessionSql sessions() {
    return sessions;
  }

  @Override
  public MySqlSchemaSql schema() {
    return schema;
  }

  @Override
  public MySqlSendSql sending() {
    return sending;
  }

  @Override
  public MySqlOutboxSql outbox() {
    return outbox;
  }

  @Override
  public MySqlWorkSql work() {
    return work;
  }

  @Override
  public MySqlParkedSql parked() {
    return parked;
  }

  @Override
  public MySqlDeadLetterSql deadLetters() {
    return deadLetters;
  }

  @Override
  public MySqlMarkerSql markers() {
    return markers;
  }

  @Override
  public MySqlLeaseSql leases() {
    return leases;
  }
}
