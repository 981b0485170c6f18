package io.angarium.jdbc;

import io.angarium.desk.AuditLog;
import io.angarium.desk.Desk;
import io.angarium.desk.MessageActs;
import io.angarium.desk.MessageBrowser;
import io.angarium.desk.PauseDesk;

/** A desk that only shows messages. */
record BrowserDesk(MessageBrowser messages) implements Desk {
  static BrowserDesk of(JdbcDatabase database) {
    return new BrowserDesk(database.browser());
  }

  @Override
  public MessageActs acts() {
    throw new UnsupportedOperationException("acts");
  }

  @Override
  public PauseDesk pauses() {
    throw new UnsupportedOperationException("pauses");
  }

  @Override
  public AuditLog audit() {
    throw new UnsupportedOperationException("audit");
  }
}
