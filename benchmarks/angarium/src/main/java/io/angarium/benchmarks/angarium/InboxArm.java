package io.angarium.benchmarks.angarium;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.InboxForm;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.SilentArm;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.SchemaMode;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/** A consumer with the inbox of Angarium, as it comes. */
public final class InboxArm extends SilentArm {
  private static final String CONSUMER = "purchases";

  private final JdbcInbox inbox;
  private final InboxForm form;
  private final String folded;

  InboxArm(ArmSettings settings) throws SQLException {
    super(BusinessDatabase.create(settings, 10));
    this.inbox =
        JdbcInbox.open(database.dataSource(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    this.form = InboxForm.of(settings);
    String from = settings.database() == DatabaseKind.MARIADB ? "FROM DUAL " : "";
    this.folded = BusinessTable.INSERT_SELECT + from + "WHERE :fresh";
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(InboxArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    if (form == InboxForm.BATCHED) {
      takeAll(messages);
      return;
    }
    for (Outgoing message : messages) {
      take(message);
    }
  }

  private void take(Outgoing message) throws SQLException {
    long id = message.number();
    if (form == InboxForm.FOLDED) {
      inbox.update(key(message), folded, id, BusinessTable.customer(id), BusinessTable.amount(id));
    } else {
      inbox.process(key(message), connection -> BusinessTable.insert(connection, id));
    }
  }

  private void takeAll(List<Outgoing> messages) throws SQLException {
    List<InboxKey> keys = messages.stream().map(InboxArm::key).toList();
    inbox.processAll(
        keys,
        (connection, fresh) ->
            BusinessTable.insertAll(
                connection, messages.stream().filter(m -> fresh.contains(key(m))).toList()));
  }

  private static InboxKey key(Outgoing message) {
    return new InboxKey(CONSUMER, message.id());
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM purchase");
  }
}
