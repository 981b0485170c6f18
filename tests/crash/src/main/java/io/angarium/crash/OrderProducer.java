package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Message;
import io.angarium.OutboxException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A process that takes orders into a database of its own and sends a message for each through the
 * message centre. Every fifth order fails and is rolled back. Understands the lines {@code go},
 * which lets it go on where it stopped, and {@code stop}, which ends its selling; ends itself when
 * its standard input does.
 */
public final class OrderProducer {
  /** The business id of its half messages. */
  static final String BUSINESS = "order";

  /** What the process prints when it sells and can be asked. */
  static final String READY = "READY";

  /** What it prints when it sells no more. */
  static final String STOPPED = "STOPPED";

  /** What it prints for a transaction that came after a check-back had ruled it out, and others. */
  static final String FAILED = "FAILED ";

  private static final int FAILING = 5;
  private static final int CUSTOMERS = 2;

  /** Long, so that no call fails but by what is killed: orders are known by their numbers. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

  private static final long PAUSE_NANOS = 5_000_000;
  private static final long FAILURE_PAUSE_NANOS = 100_000_000;

  private final ProducerSettings settings;
  private final JdbcDatabase database;
  private final Tripwire wire;
  private final CountDownLatch selling;
  private volatile boolean stopping;

  private OrderProducer(ProducerSettings settings) {
    HikariDataSource pool = Service.pool(settings.url(), settings.user(), settings.password());
    this.settings = settings;
    this.database = JdbcDatabase.open(pool, JdbcConfig.DEFAULTS);
    this.wire = new Tripwire(settings.point(), settings.passes());
    this.selling = new CountDownLatch(settings.threads());
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    new OrderProducer(ProducerSettings.parse(args)).run();
  }

  private void run() throws IOException, InterruptedException {
    AskedProducer.start(settings, database.markers().checkBack(), wire);
    List<WatchedHalfMessages> centres = settings.centres().stream().map(this::open).toList();
    for (int i = 0; i < settings.threads(); i++) {
      int seller = i;
      Thread thread = new Thread(() -> sell(seller, centres), "seller-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println(READY);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = orders.readLine(); line != null; line = orders.readLine()) {
      obey(line);
    }
    System.exit(0);
  }

  private void obey(String line) throws InterruptedException {
    wire.disarm();
    if (line.equals("stop")) {
      stopping = true;
      selling.await();
      System.out.println(STOPPED);
    }
  }

  private WatchedHalfMessages open(String centre) {
    HttpHalfConfig config = HttpHalfConfig.of(centre).apiKey(CentreServer.KEY).answer(ANSWER_MAX);
    return new WatchedHalfMessages(HttpHalfMessages.open(config, MessageIntake.of("shop")), wire);
  }

  private void sell(int seller, List<WatchedHalfMessages> centres) {
    @Nullable String[] answered = new String[CUSTOMERS]; // the last order of each customer
    for (int i = 1; !stopping; i++) {
      WatchedHalfMessages centre = centres.get((seller + i) % centres.size());
      int customer = i % CUSTOMERS;
      SoldOrder order =
          new SoldOrder(
              settings.name() + "-" + seller + "-" + i,
              settings.name() + "-" + seller + "-" + customer,
              answered[customer]);
      boolean sold = sell(order, i % FAILING == 0, centre);
      if (centre.takeAnswered(order.id())) {
        answered[customer] = order.id();
      }
      LockSupport.parkNanos(this, sold ? PAUSE_NANOS : FAILURE_PAUSE_NANOS);
    }
    selling.countDown();
  }

  private boolean sell(SoldOrder order, boolean failing, WatchedHalfMessages centre) {
    try {
      new TransactionalMessages<>(centre, database.localTransactions())
          .send(message(order), connection -> write(connection, order, failing));
      return true;
    } catch (SQLException e) {
      return true; // planned
    } catch (OutboxException e) {
      System.out.println(FAILED + e.getClass().getSimpleName() + " " + order.id());
      return false;
    }
  }

  private HalfMessage message(SoldOrder order) {
    Message message =
        Message.of(settings.destination(), order.id().getBytes(StandardCharsets.UTF_8))
            .key(order.customer());
    return HalfMessage.of(new HalfKey(BUSINESS, order.id()), message)
        .checkBack(URI.create("http://127.0.0.1:" + settings.port() + "/check-back"));
  }

  private String write(Connection connection, SoldOrder order, boolean failing)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO orders (id, customer, follows) VALUES (?, ?, ?)")) {
      insert.setString(1, order.id());
      insert.setString(2, order.customer());
      insert.setString(3, order.follows());
      insert.executeUpdate();
    }
    if (failing) {
      throw new SQLException("planned");
    }
    wire.pass(ProducerPoint.IN_TRANSACTION);
    return order.id();
  }
}
