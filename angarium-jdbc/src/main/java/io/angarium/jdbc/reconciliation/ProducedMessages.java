package io.angarium.jdbc.reconciliation;

import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.reconciliation.KeyQuery;
import io.angarium.jdbc.internal.reconciliation.ReconciliationDialect;
import io.angarium.jdbc.internal.reconciliation.Resending;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Window;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The messages that were produced for one destination, by their ids, whatever has become of them:
 * sent, waiting, delayed or dead letters. Goes by the time in the id, which is that of the send.
 * What was sent is known only where a history is kept, and as long as it is not cut. Thread-safe.
 */
public final class ProducedMessages implements ReconciledSide {
  private final OpenDatabase database;
  private final Dialect server;
  private final ReconciliationDialect dialect;
  private final String destination;
  private final Resending resending;

  /** Made by {@code JdbcDatabase}. */
  public ProducedMessages(OpenDatabase database, String destination) {
    this.database = database;
    this.server = database.dialect();
    this.dialect = new ReconciliationDialect(server, server.names());
    this.destination = destination;
    this.resending = new Resending(server, database.time());
  }

  @Override
  public String name() {
    return destination;
  }

  @Override
  public Optional<String> destination() {
    return Optional.of(destination);
  }

  @Override
  public void keys(Window window, Consumer<String> each) {
    KeyQuery.read(
        database.dataSource(),
        database.source()::check,
        "messages for " + destination,
        dialect.produced(destination, window, resending.age(window.from())),
        row -> server.uuid(row, 1).toString(),
        each);
  }

  /**
   * Sends messages again that the history holds, at the end of their keys. Those that wait to be
   * sent anyway, are dead letters or are not in the history are passed over. Blocks; commits some
   * hundred at a time, so that after a failure it can be called with all of them once more while
   * they wait.
   *
   * @param ids as a report of {@link io.angarium.reconciliation.Reconciliation} names them missing;
   *     of messages so young that an inbox which has processed them after all remembers it
   * @param by who decided, kept with the messages as "updated by"
   * @return how many are sent again
   */
  public int sendAgain(Collection<String> ids, String by) {
    List<UUID> sorted = ids.stream().map(UUID::fromString).distinct().sorted().toList();
    int sent = 0;
    try (Session session = database.session(SessionRole.WRITE)) {
      for (int from = 0; from < sorted.size(); from += ReconciliationDialect.IDS_MAX) {
        int to = Math.min(from + ReconciliationDialect.IDS_MAX, sorted.size());
        List<UUID> some = sorted.subList(from, to);
        sent +=
            session.transaction(
                "sending messages again", connection -> resending.sendAgain(connection, some, by));
      }
    }
    return sent;
  }
}
