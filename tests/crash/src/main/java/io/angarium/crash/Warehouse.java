package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A process that consumes orders: reads deliveries from its standard input, and acknowledges each
 * on its standard output when its transactions have ended. Arguments: URL, user and password of the
 * database, {@link Consumption}, threads, crash point, and how often it is passed before. Ends when
 * its standard input does, or is killed.
 */
public final class Warehouse {
  /** What the process prints when it takes deliveries. */
  static final String READY = "READY";

  /** What is said of a delivery: this, its number, a space, and an {@link Answer}. */
  static final String DELIVERY = "DELIVERY ";

  /** Ends such a line, so that half of one is not taken for a whole. */
  static final String END = ".";

  private static final int FAILING = 50;

  private final HikariDataSource pool;
  private final JdbcInbox inbox;
  private final Consumption way;
  private final Tripwire wire;
  private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

  /** What became of a delivery. */
  enum Answer {
    /** The order took effect. */
    NEW,
    /** It had before. */
    REPEAT,
    /** It did not, as planned; it is to come again. */
    FAILED,
    /** It met another delivery of its order; it is to come again. */
    MET,
    /** It did not, as should not be; it is to come again. */
    REFUSED
  }

  private Warehouse(HikariDataSource pool, Consumption way, Tripwire wire) {
    this.pool = pool;
    this.inbox = JdbcInbox.open(pool, InboxConfig.DEFAULTS);
    this.way = way;
    this.wire = wire;
  }

  /** Runs until its standard input ends. */
  public static void main(String[] args) throws IOException {
    HikariDataSource pool = Service.pool(args[0], args[1], args[2]);
    Tripwire wire = new Tripwire(CrashPoint.valueOf(args[5]), Integer.parseInt(args[6]));
    Warehouse warehouse = new Warehouse(pool, Consumption.valueOf(args[3]), wire);
    for (int i = 0; i < Integer.parseInt(args[4]); i++) {
      Thread thread = new Thread(warehouse::work, "consumer-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    System.out.println(READY);
    warehouse.read();
    System.exit(0);
  }

  private void read() throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      deliveries.add(Delivery.parse(line));
    }
  }

  private void work() {
    List<Delivery> batch = new ArrayList<>();
    while (true) {
      try {
        batch.clear();
        batch.add(deliveries.take());
        deliveries.drainTo(batch, way.batchMax() - 1);
        handle(batch);
      } catch (PlannedFailure e) {
        batch.forEach(delivery -> answer(delivery, Answer.FAILED));
      } catch (ConcurrentDeliveryException e) {
        batch.forEach(delivery -> answer(delivery, Answer.MET));
      } catch (SQLException | RuntimeException e) {
        e.printStackTrace();
        batch.forEach(delivery -> answer(delivery, Answer.REFUSED));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void handle(List<Delivery> batch) throws SQLException {
    Set<Order> orders = new HashSet<>();
    batch.forEach(delivery -> orders.add(delivery.order()));
    Set<Order> fresh = new HashSet<>(way.take(inbox, pool, orders, this::effect));
    if (!fresh.isEmpty()) {
      wire.pass(CrashPoint.AFTER_COMMIT);
    }
    for (Order order : orders) {
      inbox.update(order.key("dispatch"), Stock.DISPATCH, order.amount(), order.item());
    }
    for (Delivery delivery : batch) {
      boolean first = fresh.remove(delivery.order()); // it may be there twice
      answer(delivery, first ? Answer.NEW : Answer.REPEAT);
    }
  }

  private void effect(Connection connection, Set<Order> orders) throws SQLException {
    Stock.take(connection, orders, this::middle);
  }

  private void middle() {
    if (ThreadLocalRandom.current().nextInt(FAILING) == 0) {
      throw new PlannedFailure();
    }
    wire.pass(CrashPoint.BEFORE_COMMIT);
  }

  private static void answer(Delivery delivery, Answer answer) {
    System.out.println(DELIVERY + delivery.number() + " " + answer + END);
  }

  private static final class PlannedFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlannedFailure() {
      super("planned", null, false, false);
    }
  }
}
