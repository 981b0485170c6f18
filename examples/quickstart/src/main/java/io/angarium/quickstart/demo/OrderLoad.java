package io.angarium.quickstart.demo;

import io.angarium.quickstart.orders.NewOrder;
import io.angarium.quickstart.orders.OrderService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Places many orders at once, each in a transaction of its own, and lets some of them fail after
 * they were written. Thread-safe.
 */
@Component
class OrderLoad implements AutoCloseable {
  private static final int THREADS = 8;
  private static final List<String> CUSTOMERS = List.of("Ada", "Grace", "Li Wei", "Mei", "Omar");
  private static final List<String> ITEMS = List.of("lamp", "chair", "kettle", "book", "clock");

  private final OrderService orders;
  private final TransactionTemplate transactions;
  private final ExecutorService workers =
      Executors.newFixedThreadPool(THREADS, task -> new Thread(task, "demo-orders"));
  private final AtomicLong rolledBack = new AtomicLong();

  OrderLoad(OrderService orders, TransactionTemplate transactions) {
    this.orders = orders;
    this.transactions = transactions;
  }

  /** Places orders in turn for every customer; blocks until all of them are committed or not. */
  void place(int count, boolean rollBack) throws InterruptedException, ExecutionException {
    List<Future<?>> tasks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String customer = CUSTOMERS.get(i % CUSTOMERS.size());
      String item = ITEMS.get(i / CUSTOMERS.size() % ITEMS.size());
      NewOrder order = new NewOrder(customer, item, 1 + i % 3);
      tasks.add(workers.submit(() -> place(order, rollBack)));
    }
    for (Future<?> task : tasks) {
      task.get();
    }
  }

  /** Places an order, or lets it fail at the last moment as a refused payment would. */
  void place(NewOrder order, boolean rollBack) {
    if (!rollBack) {
      orders.place(order);
      return;
    }
    try {
      transactions.executeWithoutResult(
          transaction -> {
            orders.place(order);
            throw new PaymentRefusedException();
          });
    } catch (PaymentRefusedException e) {
      rolledBack.incrementAndGet();
    }
  }

  long rolledBack() {
    return rolledBack.get();
  }

  @Override
  public void close() {
    workers.shutdown();
  }

  private static final class PaymentRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    PaymentRefusedException() {
      super("payment refused");
    }
  }
}
