package io.angarium.orderstock.stock;

import io.angarium.orderstock.demo.Parent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The stock service: a process of its own, with a database of its own. */
@SpringBootApplication
public class StockApplication {
  /** Starts it; it runs until it is ended. */
  public static void main(String[] args) {
    Parent.endWithIt();
    new SpringApplication(StockApplication.class).run(args);
  }
}
