package io.angarium.tests.modulith;

import io.angarium.tests.modulith.shop.ShopApplication;
import io.angarium.tests.modulith.shop.orders.Orders;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The modular application as a process of its own, which takes orders until it is killed. */
final class ShopProcess {
  static final List<String> CUSTOMERS = List.of("hal", "ida", "jon");

  private ShopProcess() {}

  public static void main(String[] arguments) {
    Orders orders =
        new SpringApplicationBuilder(ShopApplication.class).run(arguments).getBean(Orders.class);
    ExecutorService threads = Executors.newFixedThreadPool(CUSTOMERS.size());
    CUSTOMERS.forEach(customer -> threads.execute(() -> placeForEver(orders, customer)));
  }

  private static void placeForEver(Orders orders, String customer) {
    while (!Thread.currentThread().isInterrupted()) {
      orders.place(customer);
    }
  }
}
