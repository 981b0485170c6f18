package io.angarium.jdbc;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageFilter;
import io.angarium.desk.MessageQuery;
import io.angarium.desk.Stage;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.testkit.report.ReportFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** The fixture of the contract of reports on a real database. */
final class JdbcReportFixture implements ReportFixture {
  private static final JdbcConfig KEEPING = EmptyDatabase.WITH_ALL_TABLES.history(true);
  private static final MessageQuery WAITING =
      MessageQuery.newest(Stage.WAITING, MessageFilter.ALL, 200);
  private static final AtomicLong RANDOM = new AtomicLong();

  private final DataSource dataSource;
  private final JdbcDatabase database;
  private final ReportShelf shelf;
  private final ReportDesk desk;

  JdbcReportFixture(DataSource dataSource) {
    this.dataSource = dataSource;
    this.database = JdbcDatabase.open(dataSource, KEEPING);
    this.shelf = database.reportShelf();
    this.desk = database.reportDesk();
  }

  /** Much faster than a new database for each test. */
  void empty() {
    EmptyDatabase.execute(
        dataSource,
        "DELETE FROM outbox_report",
        "DELETE FROM outbox_audit",
        "DELETE FROM outbox_sent",
        "DELETE FROM outbox");
  }

  @Override
  public ReportShelf shelf() {
    return shelf;
  }

  @Override
  public ReportDesk desk() {
    return desk;
  }

  @Override
  public List<AuditEntry> audit() {
    return database.desk().audit().page(AuditQuery.newest(100));
  }

  @Override
  public List<String> sent(String destination, int count) {
    Instant at = Instant.now().minus(Duration.ofMinutes(10));
    List<NewMessage> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      UUID lowest = ReconciliationDialect.lowest(at);
      long low = lowest.getLeastSignificantBits() + RANDOM.incrementAndGet();
      MessageId id = new MessageId(new UUID(lowest.getMostSignificantBits(), low));
      messages.add(new NewMessage(id, i % 3, Message.of(destination, new byte[] {7}).key("k" + i)));
    }
    try (Connection connection = dataSource.getConnection();
        JdbcOutboxStore store = database.store()) {
      connection.setAutoCommit(false);
      List<StoredMessage> written = StoredRows.write(database, connection, messages);
      connection.commit();
      store.delete(written.stream().map(StoredMessage::position).toList());
      return written.stream().map(message -> message.id().toString()).toList();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public List<String> waiting() {
    return database.browser().search(WAITING).rows().stream()
        .map(row -> row.id().toString())
        .toList();
  }

  @Override
  public void age(Duration time) {
    String ago = " - INTERVAL '" + time.toMinutes() + "' MINUTE";
    EmptyDatabase.execute(dataSource, "UPDATE outbox_report SET compared_at = compared_at" + ago);
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
