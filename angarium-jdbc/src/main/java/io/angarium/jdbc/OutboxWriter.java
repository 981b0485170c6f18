package io.angarium.jdbc;

import io.angarium.DuplicateBusinessKeyException;
import io.angarium.NoTransactionException;
import io.angarium.StoreException;
import io.angarium.WrongSourceException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.write.MessageWriter;
import java.sql.Connection;
import java.util.List;

/**
 * Writes messages into the transaction of a connection. It uses one statement for all messages that
 * are sent as soon as possible, one for all delayed ones, and one for the unique business keys. A
 * statement runs only if there are such messages. Large writes take one per 4 MiB of payload and
 * headers; on H2, MySQL and MariaDB also one per 1 000 messages. For the keys it takes two on MySQL
 * and MariaDB, and one for each key on H2.
 *
 * <p>Several calls in one transaction can deadlock with the calls of another transaction if they
 * write unique business keys; a single call cannot. For frameworks that bring transactions of their
 * own; others use {@link JdbcOutbox}. Thread-safe, as far as the connection is left to one thread.
 */
public final class OutboxWriter {
  private final MessageWriter writer;

  OutboxWriter(MessageWriter writer) {
    this.writer = writer;
  }

  /**
   * Writes messages in their order, which becomes the order of their sequences. Call it late in the
   * transaction, after the business statements: their locks decide the order of messages of one
   * key.
   *
   * @param connection with a running transaction; left open, neither committed nor rolled back
   * @param messages may be empty
   * @return what to hand over after the commit; without messages that were dropped because their
   *     business key was used before
   * @throws NoTransactionException if the connection commits by itself; nothing is written
   * @throws DuplicateBusinessKeyException if a message demands a unique business key that exists
   *     already; nothing is written, and the transaction can go on
   * @throws WrongSourceException if the connection leads to other tables than the relay's
   * @throws StoreException if the database refuses; roll the transaction back
   */
  public CommittedMessages write(Connection connection, List<NewMessage> messages) {
    return writer.write(connection, messages);
  }
}
