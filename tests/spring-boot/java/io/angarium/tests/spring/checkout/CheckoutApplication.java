package io.angarium.tests.spring.checkout;

import io.angarium.Outbox;
import io.angarium.TypedOutbox;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.PropertySource;
import org.springframework.jdbc.core.JdbcTemplate;

/** Sends what was paid, and deducts from the stock what it is told. */
@SpringBootApplication
@PropertySource("classpath:checkout.properties")
class CheckoutApplication {
  @Bean
  Checkout checkout(JdbcTemplate jdbc, Outbox outbox, TypedOutbox objects) {
    return new Checkout(jdbc, outbox, objects);
  }

  @Bean
  Stock stock(JdbcTemplate jdbc) {
    return new Stock(jdbc);
  }

  @Bean
  StockListener stockListener(Stock stock, Outbox outbox) {
    return new StockListener(stock, outbox);
  }
}
