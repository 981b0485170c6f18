package io.angarium.orderstock.demo;

import io.angarium.reconciliation.Report;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs the two services with the trouble that is wanted until nothing moves any more. */
public final class Demonstration {
  private static final long LOOK_MILLIS = 500;

  /** So often nothing may have changed before it counts as settled; longer while it is missing. */
  private static final int LOOKS_QUIET = 12;

  private static final int LOOKS_MISSING = 180;

  private final Options options;
  private final PrintStream out;
  private int crashes;

  /**
   * Starts nothing yet.
   *
   * @param out where it tells what happens
   */
  public Demonstration(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Runs it; blocks until the end.
   *
   * @return whether paid orders and stock movements agree
   */
  public boolean run() throws IOException, InterruptedException {
    out.println("Starting the databases and the broker ...");
    Path logs = Files.createTempDirectory("order-stock-");
    try (Servers servers = Servers.start(options)) {
      out.println("  " + servers.databases());
      out.println("  " + servers.broker());
      out.println("Starting the order service and the stock service; logs are in " + logs + " ...");
      Instant begin = Instant.now();
      Books books = settle(servers, logs);
      Report audit = new Audit(servers.orders(), servers.stock()).since(begin);
      boolean agree = audit.agrees() && books.agree(options.orders()) && crashes == options.crash();
      new Summary(options, books, audit, crashes).print(out, agree);
      return agree;
    }
  }

  private Books settle(Servers servers, Path logs) throws IOException, InterruptedException {
    Service stock = stock(servers, logs);
    try (Service orders = orders(servers, logs)) {
      Books last = Books.read(servers.orders(), servers.stock());
      CountDownLatch pause = new CountDownLatch(1); // which nobody ends
      int quiet = 0;
      while (quiet < LOOKS_MISSING && !(quiet >= LOOKS_QUIET && complete(last))) {
        pause.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        orders.requireAlive();
        if (stock.hasCrashed() && crashes < options.crash()) {
          stock = again(stock, servers, logs);
          quiet = 0;
        }
        stock.requireAlive();
        Books now = Books.read(servers.orders(), servers.stock());
        quiet = now.equals(last) ? quiet + 1 : 0;
        if (quiet == 0) {
          out.println(progress(now));
        }
        last = now;
      }
      return last;
    } finally {
      stock.close();
    }
  }

  private Service again(Service killed, Servers servers, Path logs) throws IOException {
    crashes++;
    out.println(
        "  the stock service (process " + killed.pid() + ") was killed; it is started again");
    return stock(servers, logs);
  }

  private boolean complete(Books books) {
    return books.paid().size() == options.orders() && books.unsent() == 0 && books.allBooked();
  }

  private static String progress(Books books) {
    return "  paid %5d   in the outbox %5d   movements %5d"
        .formatted(books.paid().size(), books.unsent(), books.movementCount());
  }

  private Service orders(Servers servers, Path logs) throws IOException {
    List<String> arguments = arguments("orders", servers, servers.orders());
    arguments.add("--shop.destination=" + servers.destination());
    arguments.add("--shop.orders=" + options.orders());
    arguments.add("--shop.duplicates=" + options.duplicates());
    for (String transport : List.of("kafka", "rabbitmq", "rocketmq")) {
      arguments.add("--angarium." + transport + ".enabled=" + transport.equals(options.broker()));
    }
    return Service.start(
        "io.angarium.orderstock.orders.OrdersApplication", arguments, logs.resolve("orders.log"));
  }

  private Service stock(Servers servers, Path logs) throws IOException {
    List<String> arguments = arguments("stock", servers, servers.stock());
    arguments.add("--shop.broker=" + options.broker());
    arguments.add("--shop.fail=" + options.fail());
    arguments.add("--shop.slow=" + options.slow());
    arguments.add("--shop.crash-at=" + (crashes < options.crash() ? options.crashAt() : 0));
    if (!options.inbox()) {
      // without it the annotation of the listeners says nothing to anybody
      arguments.add(
          "--spring.autoconfigure.exclude="
              + "io.angarium.spring.autoconfigure.AngariumListenerAutoConfiguration");
    }
    return Service.start(
        "io.angarium.orderstock.stock.StockApplication", arguments, logs.resolve("stock.log"));
  }

  private static List<String> arguments(String name, Servers servers, TestDatabase database) {
    List<String> arguments = new ArrayList<>(servers.addresses());
    arguments.add("--spring.config.name=" + name);
    arguments.add("--spring.datasource.url=" + database.url());
    arguments.add("--spring.datasource.username=" + database.user());
    arguments.add("--spring.datasource.password=" + database.password());
    return arguments;
  }
}
