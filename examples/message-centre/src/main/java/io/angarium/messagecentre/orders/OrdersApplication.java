package io.angarium.messagecentre.orders;

import io.angarium.TypeNames;
import io.angarium.messagecentre.demo.Parent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** The order service: a process of its own, with a database of its own. */
@SpringBootApplication
public class OrdersApplication {
  /** Starts it; it runs until it is ended. */
  public static void main(String[] args) {
    Parent.endWithIt();
    new SpringApplication(OrdersApplication.class).run(args);
  }

  /** What is sent, by the names under which others know it. */
  @Bean
  TypeNames types() {
    return TypeNames.builder()
        .type("order-paid", OrderPaid.class)
        .type("order-refunded", OrderRefunded.class)
        .build();
  }
}
