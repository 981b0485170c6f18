package io.angarium.messagecentre.ledger;

import io.angarium.messagecentre.demo.Parent;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The ledger: a process of its own, with a database of its own. */
@SpringBootApplication
public class LedgerApplication {
  /** Starts it; it runs until it is ended. */
  public static void main(String[] args) {
    Parent.endWithIt();
    new SpringApplication(LedgerApplication.class).run(args);
  }
}
