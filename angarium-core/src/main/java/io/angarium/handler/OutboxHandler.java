package io.angarium.handler;

/**
 * Receives the messages of one destination in the application that sent them, or in another one on
 * the same outbox. Applications implement it; methods that are added will have a default. Must be
 * thread-safe: messages of different keys, and messages without a key, come from several threads at
 * once. Messages of one key come one after the other, in their order.
 *
 * @param <C> what gives access to the transaction, e.g. a JDBC connection
 */
public interface OutboxHandler<C> {
  /** The longest name, in characters. */
  int NAME_LENGTH_MAX = 64;

  /**
   * The name, which makes the destination {@code handler:name}: 1..64 lower case letters, digits,
   * dashes and dots, a letter or digit first. Asked once, at the start. It also says in the inbox
   * who processed a message: a handler with another name is another consumer, and messages to the
   * old name find none.
   */
  String name();

  /**
   * Processes a message. Runs in a transaction together with the note in the inbox that the message
   * was processed: both commit, or neither does, so that what is written with {@code transaction}
   * happens once. Whatever else it does, an HTTP call or a mail for example, can happen again: if
   * this throws, if the commit fails, or if the process dies before it.
   *
   * <p>Must not commit, roll back or close the transaction. Should end well within {@link
   * HandlerConfig#timeout}: after that the attempt counts as failed and the message comes again,
   * once this has ended; until then its thread is bound. It is not interrupted.
   *
   * @param transaction to be used on this thread, and not after the return
   * @throws RefusedByHandlerException if the message will never be processed; it becomes a dead
   *     letter at once
   * @throws Exception for anything else: rolls the transaction back; the message comes again after
   *     a pause, until its attempts are used up
   */
  void handle(C transaction, Delivery delivery) throws Exception;
}
