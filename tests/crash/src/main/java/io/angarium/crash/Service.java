package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.StoreException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.ExponentialBackoff;
import io.angarium.relay.settings.RelayConfig;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A process as users have it: business transactions and a relay, until its standard input ends or
 * it is killed.
 */
public final class Service {
  /** Printed when it works. */
  static final String READY = "READY";

  /** Messages in flight at most: the stated bound of duplicates per crash. */
  static final int WINDOW = 500;

  static final int KEYS = 40;

  private final ServiceSettings settings;
  private final Tripwire wire;
  private volatile boolean stopping;

  private Service(ServiceSettings settings) {
    this.settings = settings;
    this.wire = new Tripwire(settings.point(), settings.passes());
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    new Service(ServiceSettings.parse(args)).run();
  }

  static RelayConfig relayConfig(String node) {
    RelayConfig defaults = RelayConfig.defaults(node);
    RelayConfig.Leasing leasing =
        new RelayConfig.Leasing(
            Duration.ofSeconds(3),
            Duration.ofMillis(700),
            Duration.ofMillis(500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5));
    RelayConfig.Polling polling =
        new RelayConfig.Polling(
            Duration.ofMillis(5),
            Duration.ofMillis(200),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20));
    RelayConfig.Window window =
        new RelayConfig.Window(WINDOW, 8 << 20, WINDOW, 200, Duration.ofMillis(10));
    return new RelayConfig(
        node, defaults.partitioning(), leasing, polling, window, Duration.ofSeconds(10));
  }

  static HikariDataSource pool(String url, String user, String password) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setUsername(user);
    pool.setPassword(password);
    pool.setMaximumPoolSize(12);
    return pool;
  }

  static DestinationPolicy policy() {
    ExponentialBackoff retry =
        new ExponentialBackoff(
            new ExponentialBackoff.Timing(
                Duration.ofMillis(20), 2, Duration.ofMillis(200), 0.2, 30_000),
            () -> ThreadLocalRandom.current().nextLong());
    return new DestinationPolicy(retry, DestinationPolicy.OnDead.SKIP, CircuitTiming.DEFAULTS);
  }

  private void run() throws Exception {
    HikariDataSource pool = pool(settings.url(), settings.user(), settings.password());
    JdbcDatabase database = JdbcDatabase.open(pool, JdbcConfig.DEFAULTS);
    Relay relay =
        Relay.builder(new TrippedStore(database.store(), wire), database.leases())
            .config(relayConfig(settings.node()))
            .transport(
                new FlakyTransport(
                    settings.broker().open(settings.address()), settings.failing(), wire))
            .policies(destination -> policy())
            .build();
    relay.start();
    JdbcOutbox outbox = database.outbox(MessageIntake.of(null), tripped(relay));
    for (int i = 0; i < settings.producers(); i++) {
      new Thread(() -> produce(outbox), "producer-" + i).start();
    }
    System.out.println(READY);
    awaitEndOfInput();
    stopping = true;
    wire.disarm();
    relay.close();
    System.exit(0);
  }

  private Handover tripped(Handover relay) {
    return new Handover() {
      @Override
      public void committed(CommittedMessages written, Duration sinceWritten) {
        wire.pass(CrashPoint.AFTER_COMMIT);
        relay.committed(written, sinceWritten);
      }

      @Override
      public int keylessPartition(Partitioning partitioning, long random) {
        return relay.keylessPartition(partitioning, random);
      }
    };
  }

  private void produce(JdbcOutbox outbox) {
    Ledger ledger = new Ledger(KEYS, settings.destination());
    Random random = new Random();
    while (!stopping) {
      try {
        outbox.inTransaction(
            (connection, messages) -> {
              ledger.trade(connection, messages, random);
              if (random.nextInt(10) == 0) {
                throw new PlannedRollback();
              }
              wire.pass(CrashPoint.BEFORE_COMMIT);
              return true;
            });
      } catch (PlannedRollback e) {
        // one in ten
      } catch (SQLException | StoreException e) {
        System.err.println("transaction failed: " + e);
      }
    }
  }

  private static final class PlannedRollback extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlannedRollback() {
      super("planned", null, false, false);
    }
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // the parent holds the other end open until the service is to stop
    }
  }
}
