package io.angarium.rocketmq.transaction;

import io.angarium.BusinessKey;
import io.angarium.ConfigurationException;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.half.HalfMessageException;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.rocketmq.MessageEncoding;
import io.angarium.rocketmq.Producers;
import io.angarium.rocketmq.RocketAddress;
import io.angarium.rocketmq.RocketWireFormat;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.client.producer.TransactionSendResult;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends by RocketMQ's own transactional messages, without an outbox: a half message goes to the
 * broker, a local transaction runs, and the broker is told to deliver or to drop it. If it is not
 * told, it asks, and the marker that the local transaction has written answers: there is no
 * listener to write. One instance serves all business types and topics of a database. Consumers see
 * what {@link RocketWireFormat} says.
 *
 * <p>The broker asks any producer of the group, from {@code transactionTimeOut} (6 s) on, every
 * {@code transactionCheckInterval} (30 s), {@code transactionCheckMax} (15) times, and then puts
 * the half message aside in {@code TRANS_CHECK_MAX_TIME_TOPIC}. So a local transaction must end
 * within minutes, and some producer of the group must be there. A message can arrive twice; its id
 * is the same then. There is no order, no delay, and no batch.
 *
 * <p>Thread-safe.
 *
 * @param <C> what gives access to a local transaction, e.g. a JDBC connection
 */
public final class RocketTransactions<C> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RocketTransactions.class);
  private static final int CHECKS_WAITING_MAX = 2_000;
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);

  private final RocketTransactionsConfig config;
  private final MessageIntake intake;
  private final LocalTransactions<C> local;
  private final TransactionMQProducer producer;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A message whose local transaction has committed; it is delivered now or after a check-back.
   *
   * @param id of the message
   * @param result of the work, may be null
   */
  public record Committed<T extends @Nullable Object>(MessageId id, T result) {}

  private RocketTransactions(
      RocketTransactionsConfig config, MessageIntake intake, LocalTransactions<C> local) {
    this.config = config;
    this.intake = intake;
    this.local = local;
    this.producer = Producers.transactional(config.cluster(), config.producerGroup());
    producer.setTransactionListener(new RocketCheckBack(local));
    producer.setExecutorService(checks());
  }

  private ThreadPoolExecutor checks() {
    ThreadPoolExecutor checks =
        new ThreadPoolExecutor(
            config.checkThreads(),
            config.checkThreads(),
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(CHECKS_WAITING_MAX),
            task -> {
              Thread thread = new Thread(task, config.producerGroup() + "-rocketmq-check");
              thread.setDaemon(true);
              return thread;
            },
            (task, full) ->
                LOG.warn(
                    "More than {} check-backs of {} wait; brokers ask again for the others",
                    CHECKS_WAITING_MAX,
                    config.producerGroup()));
    checks.allowCoreThreadTimeOut(true);
    return checks;
  }

  /**
   * Connects like {@link #open(RocketTransactionsConfig, MessageIntake, LocalTransactions)}, with
   * the standard limits.
   */
  public static <C> RocketTransactions<C> open(
      RocketTransactionsConfig config, LocalTransactions<C> local) {
    return open(config, MessageIntake.of(null), local);
  }

  /**
   * Connects to the cluster, and answers its questions from now on. Does not fail if the cluster is
   * away: it is looked for every half minute.
   *
   * @param intake limits and decorators of messages, which the outbox may share
   * @param local the database whose transactions decide; the same for all producers of the group
   * @throws ConfigurationException if the RocketMQ client does not accept the settings
   */
  public static <C> RocketTransactions<C> open(
      RocketTransactionsConfig config, MessageIntake intake, LocalTransactions<C> local) {
    RocketTransactions<C> transactions = new RocketTransactions<>(config, intake, local);
    try {
      transactions.producer.start();
    } catch (MQClientException e) {
      throw new ConfigurationException(List.of("rocketmq.transactions: " + e.getMessage()));
    }
    LOG.info(
        "RocketMQ transactions opened: name servers {}, group {}, {} threads for checks",
        config.cluster().nameServers(),
        config.producerGroup(),
        config.checkThreads());
    return transactions;
  }

  /**
   * Sends a message if, and only if, work commits. Call it outside of any transaction: it blocks
   * for the broker, then runs the work in a local transaction of its own. Not being able to tell
   * the broker the outcome is no error, as the broker asks for it.
   *
   * @param message without a key, a delay and a unique business key; to {@code rocketmq:topic} or
   *     {@code rocketmq:topic:tag}, a topic that exists
   * @return when the local transaction has committed
   * @throws InvalidMessageException if the message wants what RocketMQ cannot do, or breaks a
   *     limit, also one of the brokers; nothing was stored and the work was not called
   * @throws HalfMessageException if the broker did not take the half message; the work was not
   *     called
   * @throws X what the work threw; the local transaction is rolled back and nothing is delivered
   * @throws io.angarium.half.local.MarkerTakenException if the broker asked before the work began;
   *     the work was not called and nothing is delivered
   * @throws io.angarium.half.local.OutcomeUnknownException if committing failed; the message is
   *     delivered if, and only if, the commit took effect
   * @throws io.angarium.StoreException if the database cannot be reached or refuses; nothing is
   *     delivered
   */
  public <T extends @Nullable Object, X extends Exception> Committed<T> send(
      Message message, LocalWork<C, T, X> work) throws X {
    NewMessage accepted = intake.accept(message, Handover.NONE);
    TransactionalForm.check(accepted.message(), config.cluster());
    BusinessKey business = accepted.message().business();
    String businessType = business == null ? null : business.type();
    LocalRun<C, T, X> run =
        new LocalRun<>(local, RocketCheckBack.marker(businessType, accepted.id().toString()), work);
    send(accepted, run);
    return new Committed<>(accepted.id(), run.result());
  }

  private void send(NewMessage accepted, LocalRun<?, ?, ?> run) {
    String address = accepted.message().destination().address();
    RocketAddress parsed = RocketAddress.parse(address);
    if (parsed == null) {
      throw new InvalidMessageException(RocketAddress.fault(address));
    }
    String properties = MessageEncoding.properties(accepted.id(), accepted.message(), parsed);
    TransactionalForm.checkProperties(properties);
    var encoded = MessageEncoding.message(accepted.message(), parsed, properties);
    try {
      TransactionSendResult sent = producer.sendMessageInTransaction(encoded, run);
      if (!run.begun()) {
        throw notStored(
            accepted, "it is in the memory of the broker only: " + sent.getSendStatus(), null);
      }
    } catch (MQClientException e) {
      if (e.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof MQBrokerException refusal
          && refusal.getResponseCode() == ResponseCode.MESSAGE_ILLEGAL) {
        throw refused(accepted, refusal);
      }
      throw notStored(accepted, String.valueOf(cause.getMessage()), e);
    }
  }

  private InvalidMessageException refused(NewMessage message, MQBrokerException refusal) {
    return new InvalidMessageException(
        "message %s for %s: RocketMQ at %s does not take it as it is (%s); its local transaction was not begun. Its payload has %d bytes: if that is too much, make it smaller, or raise maxMessageSize of the brokers"
            .formatted(
                message.id(),
                message.message().destination(),
                config.cluster().nameServers(),
                refusal.getErrorMessage(),
                message.message().payload().length));
  }

  private HalfMessageException notStored(
      NewMessage message, String reason, @Nullable Throwable cause) {
    return new HalfMessageException(
        "Half message %s for %s was not stored by RocketMQ at %s (%s); its local transaction was not begun, and nothing is delivered. Try again"
            .formatted(
                message.id(),
                message.message().destination(),
                config.cluster().nameServers(),
                reason),
        cause);
  }

  /**
   * Closes connections, at most two seconds. Transactions that are open go on; other producers of
   * the group are asked for them. May be called twice.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Thread closer = new Thread(producer::shutdown, config.producerGroup() + "-rocketmq-closer");
    closer.setDaemon(true);
    closer.start();
    try {
      closer.join(CLOSE_MAX.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.info("RocketMQ transactions closed");
  }
}
