package io.angarium.benchmarks.gruelbox;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import io.angarium.benchmarks.arm.Arm;
import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.BusinessTable;
import io.angarium.benchmarks.arm.DatabaseKind;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.Variant;
import io.angarium.benchmarks.arm.WaitingSender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * gruelbox transaction-outbox 4.2.268 with its own transaction manager: a call of a method is put
 * into the outbox, handed to a worker after the commit, and made once more by a flush if that
 * failed. Its makers name PostgreSQL, MySQL and H2; MariaDB is run with the dialect of MySQL 8.
 *
 * <p>As it comes: one worker and a queue of 16,384, as {@code Submitter.withDefaultExecutor()} has
 * them, and flushes as the makers' example has them: until nothing is left, then a pause of a
 * minute. Tuned: 32 workers, a queue of 200,000, a pause of a second, no waiting for larger batches
 * in Kafka's client.
 *
 * <p>What is committed before the start is not handed to a worker, but left to the first flush. A
 * flush takes up what was committed two minutes ago or earlier (the library's default); the clock
 * of the outbox is therefore so much late until the start, as if the backlog had waited that long.
 *
 * <p>A worker leaves out a message whose row a flush holds locked at that moment; the message is
 * sent two minutes later. We saw it on MariaDB, with messages sent while a flush was at work.
 *
 * <p>Options: {@code attempt} (default 120): seconds before a flush takes a message up; {@code
 * ordered}, for the order of each key, which this version cannot keep: opening fails for 1.
 */
public final class GruelboxArm implements Arm {
  private final BusinessDatabase database;
  private final TransactionManager transactions;
  private final TransactionOutbox outbox;
  private final WaitingSender sender;
  private final Workers workers;
  private final Duration pause;
  private final Duration attemptFrequency;
  private volatile Clock clock;
  private @Nullable Flushing flushing;

  GruelboxArm(ArmSettings settings) throws SQLException {
    if (settings.number("ordered", 0) > 0) {
      throw new UnsupportedOperationException(
          "gruelbox 4.2.268 does not keep the order of a key; ordered() came with 5.5");
    }
    boolean tuned = settings.variant() == Variant.TUNED;
    this.database = BusinessDatabase.create(settings, tuned ? 48 : 10);
    this.transactions = TransactionManager.fromDataSource(database.dataSource());
    this.sender = new WaitingSender(settings);
    this.workers = tuned ? new Workers(32, 200_000) : new Workers(1, 16_384);
    this.pause = tuned ? Duration.ofSeconds(1) : Duration.ofMinutes(1);
    this.attemptFrequency = Duration.ofSeconds(settings.number("attempt", 120));
    this.clock = Clock.offset(Clock.systemUTC(), attemptFrequency.negated());
    this.outbox = outbox(settings.database());
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(GruelboxArm::new);
  }

  private TransactionOutbox outbox(DatabaseKind kind) {
    Dialect dialect = kind == DatabaseKind.POSTGRESQL ? Dialect.POSTGRESQL_9 : Dialect.MY_SQL_8;
    Publication publication =
        (key, text) -> sender.send(key, text.getBytes(StandardCharsets.US_ASCII));
    return TransactionOutbox.builder()
        .transactionManager(transactions)
        .persistor(Persistor.forDialect(dialect))
        .instantiator(Instantiator.using(type -> publication))
        .submitter(workers)
        .attemptFrequency(attemptFrequency)
        .clockProvider(() -> clock)
        .build();
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws SQLException {
    transactions.inTransactionThrows(
        transaction -> {
          BusinessTable.insert(transaction.connection(), businessId);
          for (Outgoing message : messages) {
            outbox.schedule(Publication.class).publish(message.key(), message.text());
          }
        });
  }

  @Override
  public void start() {
    clock = Clock.systemUTC();
    workers.start();
    flushing = new Flushing(outbox, pause);
    flushing.start();
  }

  @Override
  public void stop() throws InterruptedException {
    if (flushing != null) {
      flushing.stop();
    }
    workers.stop();
  }

  @Override
  public long sent() {
    return sender.acknowledged();
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM TXNO_OUTBOX");
  }

  @Override
  public void close() {
    sender.close();
    database.close();
  }
}
