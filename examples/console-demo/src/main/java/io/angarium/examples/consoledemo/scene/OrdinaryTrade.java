package io.angarium.examples.consoledemo.scene;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.jdbc.JdbcOutbox;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What goes well: the shop sends some messages a second. Thread-safe. */
public final class OrdinaryTrade implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OrdinaryTrade.class);
  private static final long PERIOD_MILLIS = 300;
  private static final int FIRST_ORDER = 50_000;

  private final JdbcOutbox outbox;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "console-demo-trade");
            made.setDaemon(true);
            return made;
          });
  private int order = FIRST_ORDER;

  private OrdinaryTrade(JdbcOutbox outbox) {
    this.outbox = outbox;
  }

  /** Begins to trade. */
  public static OrdinaryTrade start(JdbcOutbox outbox) {
    OrdinaryTrade trade = new OrdinaryTrade(outbox);
    Future<?> unused =
        trade.thread.scheduleAtFixedRate(trade::tradeOnce, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    return trade;
  }

  /** A failure would end the periodic work. */
  private void tradeOnce() {
    try {
      trade(++order);
    } catch (StoreException e) {
      LOG.warn("Order {} was not placed", order, e);
    }
  }

  private void trade(int number) {
    String key = "order-" + number;
    String business = Integer.toString(number);
    outbox.inTransaction(
        (connection, all) -> {
          if (number % 2 == 0) {
            all.send(of(Trade.INVOICES, Trade.INVOICE_SENT, number).key("customer-" + number % 97));
          }
          if (number % 5 == 0) {
            all.send(of(Trade.PARTNERS, "order-announced", number));
          }
          return all.send(
              of(Trade.ORDERS, Trade.ORDER_PLACED, number).key(key).business("order", business));
        });
  }

  private static Message of(String destination, String type, int number) {
    return Message.of(destination, Payloads.order(number, 2))
        .type(type)
        .header("content-type", "application/json");
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
