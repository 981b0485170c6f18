package io.angarium.spring;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.OutboxWriter;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The outbox of the Spring transaction that is running on a data source when {@code send} is
 * called. The transaction may come from {@code @Transactional} or {@code TransactionTemplate}, over
 * JdbcTemplate, JPA, MyBatis or plain JDBC. Thread-safe.
 *
 * <p>{@code send} only keeps the message in memory. Right before the commit, after all other
 * synchronizations and after JPA has written its changes, one statement writes all messages of the
 * transaction. An error there rolls the transaction back. A rollback to a savepoint also discards
 * the messages sent within it. A transaction that commits on another data source, JTA included, is
 * refused.
 *
 * <p>The transaction manager needs an {@link OutboxTransactions}. JPA entity callbacks may send
 * when they run before the commit (an explicit flush, a query). A callback that runs in the
 * commit's own flush is refused, unless the transaction has sent something before.
 */
public final class SpringOutbox implements Outbox {
  /** The most messages of one transaction. */
  public static final int MESSAGES_PER_TRANSACTION_MAX = 10_000;

  private final DataSource dataSource;
  private final MessageIntake intake;
  private final Writer writer;
  private final Handover handover;

  /** Where the messages of a transaction go. */
  @FunctionalInterface
  public interface Writer {
    /**
     * Writes them; called once for each transaction that has sent any, on its thread, when nothing
     * comes any more but the commit.
     *
     * @param connection with the running transaction; left open, neither committed nor rolled back
     * @param messages in the order sent, at least one
     * @return what is handed over after the commit
     * @throws RuntimeException to roll the transaction back
     */
    CommittedMessages write(Connection connection, List<NewMessage> messages);
  }

  /**
   * Creates an outbox on a data source.
   *
   * @param dataSource the one the transaction manager uses
   * @param handover where committed messages are handed to; {@link Handover#NONE} if relays run
   *     elsewhere only
   */
  public SpringOutbox(
      DataSource dataSource, MessageIntake intake, OutboxWriter writer, Handover handover) {
    this(dataSource, intake, writer::write, handover);
  }

  private SpringOutbox(
      DataSource dataSource, MessageIntake intake, Writer writer, Handover handover) {
    this.dataSource = target(dataSource);
    this.intake = intake;
    this.writer = writer;
    this.handover = handover;
  }

  /** A copy whose messages go elsewhere, as in a test that keeps them in memory. */
  public SpringOutbox writer(Writer writer) {
    return new SpringOutbox(dataSource, intake, writer, handover);
  }

  /** What transaction managers use as key: the source behind a transaction-aware proxy. */
  static DataSource target(DataSource dataSource) {
    return dataSource instanceof TransactionAwareDataSourceProxy proxy
            && proxy.getTargetDataSource() != null
        ? proxy.getTargetDataSource()
        : dataSource;
  }

  @Override
  public MessageId send(Message message) {
    OutboxTransaction transaction = open(1);
    NewMessage accepted = intake.accept(message, handover);
    transaction.add(this, accepted);
    return accepted.id();
  }

  @Override
  public List<MessageId> sendAll(List<Message> messages) {
    OutboxTransaction transaction = open(messages.size());
    List<NewMessage> accepted = new ArrayList<>(messages.size());
    for (Message message : messages) {
      accepted.add(intake.accept(message, handover));
    }
    accepted.forEach(message -> transaction.add(this, message));
    return accepted.stream().map(NewMessage::id).toList();
  }

  private OutboxTransaction open(int more) {
    OutboxTransaction transaction = OutboxTransaction.open(dataSource);
    checkSize(transaction.size() + more);
    return transaction;
  }

  private static void checkSize(int messages) {
    if (messages > MESSAGES_PER_TRANSACTION_MAX) {
      throw new InvalidMessageException(
          "messages of this transaction: "
              + messages
              + " (expected: at most "
              + MESSAGES_PER_TRANSACTION_MAX
              + "); commit in smaller portions");
    }
  }

  DataSource dataSource() {
    return dataSource;
  }

  long nanoTime() {
    return intake.time().nanoTime();
  }

  /** Writes in a running transaction, by one multi-row insert per portion. */
  CommittedMessages write(ConnectionHolder transaction, List<NewMessage> messages) {
    transaction.requested();
    try {
      return writer.write(transaction.getConnection(), messages);
    } finally {
      transaction.released();
    }
  }

  void committed(CommittedMessages written, Duration sinceWritten) {
    handover.committed(written, sinceWritten);
  }
}
