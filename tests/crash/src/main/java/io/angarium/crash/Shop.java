package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Message;
import io.angarium.half.HalfMessageException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.transaction.RocketTransactions;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A process that sells things and says so by RocketMQ's transactional messages. Arguments: URL,
 * user and password of the database, name server, topic, a name of its own, threads that sell (0
 * for a process that only answers brokers), crash point, and how often it is passed before. Sells
 * until it is killed, or ends when its standard input does.
 */
public final class Shop {
  /** What the process prints when it answers brokers and sells. */
  static final String READY = "READY";

  /** What it prints, followed by the verdict, when it has answered a question of a broker. */
  static final String ANSWER = "ANSWER ";

  private final String topic;
  private final String name;
  private final Tripwire wire;
  private final RocketTransactions<Connection> transactions;
  private final AtomicLong sold = new AtomicLong();

  private Shop(String topic, String name, Tripwire wire, RocketTransactions<Connection> open) {
    this.topic = topic;
    this.name = name;
    this.wire = wire;
    this.transactions = open;
  }

  /** Runs until its standard input ends. */
  public static void main(String[] args) throws IOException {
    HikariDataSource pool = Service.pool(args[0], args[1], args[2]);
    JdbcDatabase database = JdbcDatabase.open(pool, JdbcConfig.DEFAULTS);
    Tripwire wire = new Tripwire(CrashPoint.valueOf(args[7]), Integer.parseInt(args[8]));
    RocketTransactions<Connection> transactions =
        RocketTransactions.open(
            RocketTransactionsConfig.of(RocketConfig.of(args[3])),
            new Tripped(database.localTransactions(), wire));
    Shop shop = new Shop(args[4], args[5], wire, transactions);
    for (int i = 0; i < Integer.parseInt(args[6]); i++) {
      Thread thread = new Thread(shop::sell, "seller-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println(READY);
    while (System.in.read() >= 0) {
      // the parent holds the other end open until the process is to stop
    }
    System.exit(0);
  }

  private void sell() {
    Random random = new Random();
    while (true) {
      String id = name + "-" + sold.incrementAndGet();
      try {
        sell(id, random.nextInt(5) == 0);
      } catch (SQLException e) {
        // planned
      } catch (HalfMessageException e) {
        System.err.println(e);
      }
    }
  }

  private void sell(String id, boolean failing) throws SQLException {
    Message message =
        Message.of("rocketmq:" + topic + ":sold", id.getBytes(StandardCharsets.UTF_8))
            .business("sale", id);
    transactions.send(
        message,
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO sale (id) VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
          }
          if (failing) {
            throw new SQLException("planned");
          }
          wire.pass(CrashPoint.BEFORE_COMMIT);
          return id;
        });
  }

  /** Stops after the commit, before the broker is told, and says what brokers are answered. */
  private record Tripped(LocalTransactions<Connection> real, Tripwire wire)
      implements LocalTransactions<Connection> {
    @Override
    public <T extends @Nullable Object, X extends Exception> T run(
        Marker marker, LocalWork<Connection, T, X> work) throws X {
      T result = real.run(marker, work);
      wire.pass(CrashPoint.AFTER_COMMIT);
      return result;
    }

    @Override
    public Verdict check(Marker marker) {
      // One that is to be killed after its commit must not have told of it.
      Verdict verdict = wire.isAt(CrashPoint.AFTER_COMMIT) ? Verdict.UNKNOWN : real.check(marker);
      System.out.println(ANSWER + verdict);
      return verdict;
    }
  }
}
