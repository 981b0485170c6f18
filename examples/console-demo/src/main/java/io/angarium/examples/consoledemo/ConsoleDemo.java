package io.angarium.examples.consoledemo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The command: starts the shop and the console, and prints a link to it. */
public final class ConsoleDemo {
  private ConsoleDemo() {}

  /**
   * Runs until it is stopped. Ends with status 2 if the command line is wrong.
   *
   * @param args see {@link Options#USAGE}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (List.of(args).contains("--help")) {
      System.out.println(Options.USAGE);
      return;
    }
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage());
      System.out.println(Options.USAGE);
      System.exit(2);
      return;
    }
    DemoShop shop = DemoShop.start(options.port(), List.of());
    Runtime.getRuntime().addShutdownHook(new Thread(shop::close, "console-demo-stop"));
    System.out.println("The console of a shop with troubles is on");
    System.out.println();
    System.out.println("  " + shop.link());
    System.out.println();
    System.out.println(
        "The link works once, within ten minutes. Enter prints a new one, Ctrl-C ends");
    System.out.println("the demo. All troubles are there after some seconds.");
    shop.makeTroubles();
    printLinks(shop);
    new CountDownLatch(1).await();
  }

  /** Returns where there is no terminal. */
  private static void printLinks(DemoShop shop) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    while (lines.readLine() != null) {
      System.out.println("  " + shop.link());
    }
  }
}
