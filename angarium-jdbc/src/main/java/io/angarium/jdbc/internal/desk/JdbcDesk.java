package io.angarium.jdbc.internal.desk;

import io.angarium.desk.AuditLog;
import io.angarium.desk.Desk;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.PauseDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.session.OpenDatabase;

/** The desk of one database. Thread-safe. */
public final class JdbcDesk implements Desk {
  private final MessageBrowser messages;
  private final JdbcMessageActs acts;
  private final JdbcPauses pauses;
  private final JdbcAuditLog audit;

  public JdbcDesk(OpenDatabase database, MessageBrowser messages, MessageIntake intake) {
    this.messages = messages;
    this.pauses = new JdbcPauses(database);
    this.acts = new JdbcMessageActs(database, messages, pauses, intake);
    this.audit = new JdbcAuditLog(database);
  }

  @Override
  public MessageBrowser messages() {
    return messages;
  }

  @Override
  public MessageActs acts() {
    return acts;
  }

  @Override
  public PauseDesk pauses() {
    return pauses;
  }

  @Override
  public AuditLog audit() {
    return audit;
  }
}
