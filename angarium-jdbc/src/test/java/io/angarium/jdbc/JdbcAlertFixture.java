package io.angarium.jdbc;

import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertStore;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.testkit.alert.AlertFixture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** The fixture of the contract of alerts on a real database. */
final class JdbcAlertFixture implements AlertFixture {
  private final DataSource dataSource;
  private final JdbcDatabase database;
  private final AlertStore store;
  private final AlertDesk desk;

  JdbcAlertFixture(DataSource dataSource) {
    this.dataSource = dataSource;
    this.database = JdbcDatabase.open(dataSource, JdbcStoreFixture.CONFIG);
    this.store = database.alertStore();
    this.desk = database.alertDesk();
  }

  /** Much faster than a new database for each test. */
  void empty() {
    EmptyDatabase.execute(
        dataSource,
        "DELETE FROM outbox_alert",
        "DELETE FROM outbox_alert_notice",
        "DELETE FROM outbox_silence",
        "DELETE FROM outbox_audit",
        "UPDATE outbox_alert_turn SET node = '', leased_until = '2000-01-01 00:00:00'");
  }

  @Override
  public AlertStore store() {
    return store;
  }

  @Override
  public AlertDesk desk() {
    return desk;
  }

  @Override
  public List<AuditEntry> audit() {
    return database.desk().audit().page(AuditQuery.newest(100));
  }

  @Override
  public void pass(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  @Override
  public void endSilences() {
    EmptyDatabase.execute(dataSource, "UPDATE outbox_silence SET until_at = '2000-01-01 00:00:00'");
  }

  @Override
  public void breakAudit() {
    EmptyDatabase.execute(dataSource, "ALTER TABLE outbox_audit RENAME TO outbox_audit_away");
  }

  @Override
  public void mendAudit() {
    EmptyDatabase.execute(dataSource, "ALTER TABLE outbox_audit_away RENAME TO outbox_audit");
  }
}
