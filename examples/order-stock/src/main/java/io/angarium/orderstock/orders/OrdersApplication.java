package io.angarium.orderstock.orders;

import io.angarium.orderstock.demo.Parent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The order service: a process of its own, with a database of its own. */
@SpringBootApplication
public class OrdersApplication {
  /** Starts it; it runs until it is ended. */
  public static void main(String[] args) {
    Parent.endWithIt();
    new SpringApplication(OrdersApplication.class).run(args);
  }
}
