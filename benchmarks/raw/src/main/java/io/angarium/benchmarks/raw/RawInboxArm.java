package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.InboxForm;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * A consumer with an inbox by hand. It counts on batches without repeats: one that has some is
 * rolled back and taken delivery by delivery.
 */
public final class RawInboxArm extends SilentArm {
  private final RawInbox inbox;
  private final InboxForm form;

  RawInboxArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, 10));
    this.inbox = RawInbox.of(settings.database());
    this.form = InboxForm.of(settings);
    try (Connection connection = database.dataSource().getConnection()) {
      inbox.create(connection);
    }
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(RawInboxArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    if (form == InboxForm.BATCHED && takeAll(messages)) {
      return;
    }
    for (Outgoing message : messages) {
      take(message);
    }
  }

  private boolean takeAll(List<Outgoing> messages) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      if (inbox.noteAll(connection, messages) < messages.size()) {
        connection.rollback();
        return false;
      }
      BusinessTable.insertAll(connection, messages);
      connection.commit();
      return true;
    }
  }

  private void take(Outgoing message) throws SQLException {
    if (form == InboxForm.FOLDED && inbox.folds()) {
      try (Connection connection = database.dataSource().getConnection()) {
        inbox.take(connection, message);
      }
      return;
    }
    database.transact(
        connection -> {
          if (inbox.note(connection, message)) {
            BusinessTable.insert(connection, message.number());
          }
        });
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM purchase");
  }
}
