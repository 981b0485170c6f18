package io.angarium.orderstock;

import io.angarium.orderstock.demo.Demonstration;
import io.angarium.orderstock.demo.Options;
import io.angarium.orderstock.demo.WrongOptionException;
import java.io.IOException;
import java.util.List;

/** The command: starts everything, makes trouble, and compares orders and stock at the end. */
public final class OrderStock {
  private OrderStock() {}

  /**
   * Runs it. Ends with status 0 if paid orders and stock movements agree, 1 if they do not, 2 if
   * the command line is wrong.
   *
   * @param args see {@link Options#USAGE}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (List.of(args).contains("--help")) {
      System.out.println(Options.USAGE);
      return;
    }
    try {
      System.exit(new Demonstration(Options.parse(args), System.out).run() ? 0 : 1);
    } catch (WrongOptionException e) {
      System.out.println(e.getMessage());
      System.exit(2);
    }
  }
}
