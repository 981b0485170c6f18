package io.angarium;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes messages into the caller's database transaction; they are delivered if and only if that
 * transaction commits.
 *
 * <p>An {@code Outbox} belongs to a transaction: the one of the connection given to {@code
 * JdbcOutbox.on(connection)}, or in Spring the one that is running when {@code send} is called.
 * Whether it may be shared between threads is said by each implementation.
 */
public interface Outbox {
  /**
   * Adds a message to the transaction. The row is written no later than the commit; nothing is sent
   * before it. Never talks to a broker.
   *
   * @return the id under which consumers will see the message
   * @throws NoTransactionException if no transaction is active; nothing is written
   * @throws InvalidMessageException if the message breaks a limit, or the address of its
   *     destination is malformed, see {@link Destination}; nothing is written
   * @throws DuplicateBusinessKeyException if the message demands a unique business key that exists
   *     already; may also come from the commit when rows are written there
   */
  MessageId send(Message message);

  /**
   * Adds several messages in their order, with one statement where the implementation writes at
   * once.
   *
   * @return one id per message, in the same order; empty for an empty list
   * @throws OutboxException as {@link #send}; then none of them is written
   */
  default List<MessageId> sendAll(List<Message> messages) {
    List<MessageId> ids = new ArrayList<>(messages.size());
    for (Message message : messages) {
      ids.add(send(message));
    }
    return ids;
  }
}
