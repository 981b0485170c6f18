package io.angarium.orderstock.orders;

import java.util.List;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Pays as many orders as the demonstration wants. */
@Component
class Customers implements ApplicationRunner {
  private static final List<String> ITEMS = List.of("apple", "pear", "plum");
  private static final int QUANTITY_MAX = 5;

  private final OrderService service;
  private final int orders;

  Customers(OrderService service, @Value("${shop.orders}") int orders) {
    this.service = service;
    this.orders = orders;
  }

  @Override
  public void run(ApplicationArguments arguments) {
    RandomGenerator random = RandomGenerator.getDefault();
    for (long id = 1; id <= orders; id++) {
      service.pay(id, ITEMS.get(random.nextInt(ITEMS.size())), random.nextInt(QUANTITY_MAX) + 1);
    }
  }
}
