package io.angarium.jdbc;

import io.angarium.TimeSource;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.desk.Desk;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationStore;
import io.angarium.pause.PauseStore;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.LeaseStore;
import io.angarium.testkit.tck.DeskFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import javax.sql.DataSource;

/** The fixture of the desk contract on a real database. */
final class JdbcDeskFixture implements DeskFixture {
  /** Keeps a history and waits for confirmations. */
  static final JdbcConfig CONFIG =
      JdbcStoreFixture.CONFIG
          .history(true)
          .confirmation(ConfirmationConfig.NONE.destinations(CONFIRMED.toString()));

  private final DataSource dataSource;
  private final JdbcStoreFixture store;
  private final Desk desk;
  private boolean broken;

  JdbcDeskFixture(DataSource dataSource, Function<JdbcDatabase, Desk> desk) {
    this.dataSource = dataSource;
    this.store = new JdbcStoreFixture(dataSource, CONFIG);
    this.desk = desk.apply(store.database());
  }

  @Override
  public Desk desk() {
    return desk;
  }

  @Override
  public void age(Duration age) {
    String time = interval(age);
    EmptyDatabase.execute(dataSource, "UPDATE outbox_dead SET dead_since = dead_since - " + time);
    EmptyDatabase.execute(dataSource, "UPDATE outbox_sent SET sent_at = sent_at - " + time);
  }

  @Override
  public void ageOperations(Duration age) {
    EmptyDatabase.execute(
        dataSource,
        "UPDATE outbox_operation SET created_at = created_at - %1$s, start_at = start_at - %1$s"
            .formatted(interval(age)));
  }

  private String interval(Duration age) {
    boolean mySql = store.database().product().startsWith("M");
    return (mySql ? "INTERVAL %d SECOND" : "%d * INTERVAL '1' SECOND").formatted(age.toSeconds());
  }

  @Override
  public PauseStore pauses() {
    return store.database().pauseStore();
  }

  @Override
  public OperationDesk operationDesk() {
    return store.database().operationDesk();
  }

  @Override
  public OperationStore operationStore() {
    return store.database().operationStore();
  }

  @Override
  public void endPauses() {
    EmptyDatabase.execute(dataSource, "UPDATE outbox_pause SET until_at = since");
  }

  @Override
  public void breakAudit() {
    EmptyDatabase.execute(dataSource, "ALTER TABLE outbox_audit RENAME TO outbox_audit_away");
    broken = true;
  }

  @Override
  public void mendAudit() {
    EmptyDatabase.execute(dataSource, "ALTER TABLE outbox_audit_away RENAME TO outbox_audit");
    broken = false;
  }

  @Override
  public OutboxStore outbox() {
    return store.outbox();
  }

  @Override
  public OutboxStore anotherOutbox() {
    return store.anotherOutbox();
  }

  @Override
  public OutboxStore anotherOutbox(TimeSource host) {
    return store.anotherOutbox(host);
  }

  @Override
  public LeaseStore leases() {
    return store.leases();
  }

  @Override
  public LeaseStore anotherLeases(TimeSource host) {
    return store.anotherLeases(host);
  }

  @Override
  public OpenTransaction begin() {
    return store.begin();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public void letPass(Duration duration) {
    store.letPass(duration);
  }

  @Override
  public boolean goBack() {
    return store.goBack();
  }

  @Override
  public void close() {
    if (broken) {
      mendAudit();
    }
    store.close();
  }
}
