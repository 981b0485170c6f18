package io.angarium.jdbc.reconciliation;

import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.reconciliation.KeyQuery;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * The messages that one consumer has processed, by their ids, as the inbox remembers them. Keys
 * that were made from texts have no time and are not among them. Thread-safe.
 */
public final class ConsumedMessages implements ReconciledSide {
  private static final int VERSION_OF_IDS = 7;

  private final DataSource dataSource;
  private final Dialect server;
  private final ReconciliationDialect dialect;
  private final String consumer;
  private final Duration retention;

  /** Made by {@code JdbcInbox}. */
  public ConsumedMessages(
      DataSource dataSource,
      Dialect server,
      TableNames names,
      String consumer,
      Duration retention) {
    this.dataSource = dataSource;
    this.server = server;
    this.dialect = new ReconciliationDialect(server, names);
    this.consumer = consumer;
    this.retention = retention;
  }

  @Override
  public String name() {
    return consumer;
  }

  /** That of the inbox. */
  @Override
  public Optional<Duration> retention() {
    return Optional.of(retention);
  }

  /** False for one that was made from a text, and lies in the window by chance. */
  private static boolean hasTime(String key) {
    return UUID.fromString(key).version() == VERSION_OF_IDS;
  }

  @Override
  public void keys(Window window, Consumer<String> each) {
    long number = new InboxKey(consumer, new UUID(0, 0)).consumerNumber();
    KeyQuery.read(
        dataSource,
        "what " + consumer + " has processed",
        dialect.consumed(number, window),
        row -> server.uuid(row, 1).toString(),
        key -> {
          if (hasTime(key)) {
            each.accept(key);
          }
        });
  }
}
