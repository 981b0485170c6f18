package io.angarium.messagecentre.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What happens, step by step. Not thread-safe: one thread at a time. */
final class Story {
  /** Where nobody is asked, it is waited for that in vain. */
  private static final int LOOKS_IN_VAIN = 40;

  private static final int REFUSED = 3;
  private static final Pattern STATE = Pattern.compile("\"state\":\"([A-Z_]+)\"");

  private final Company company;
  private final Web web;
  private final Options options;
  private final PrintStream out;
  private final List<String> surprises = new ArrayList<>();
  private long last;

  Story(Company company, Web web, Options options, PrintStream out) {
    this.company = company;
    this.web = web;
    this.options = options;
    this.out = out;
  }

  /**
   * Tells it; blocks until the end.
   *
   * @return what came otherwise than it must; empty if nothing did
   */
  List<String> tell() throws IOException, InterruptedException {
    normalWay();
    refusedByTheBank();
    killed(
        "payment",
        "KILLED_AFTER_COMMIT",
        "The order service is killed when its transaction has committed, and could not say so.",
        "the starter answers from the marker row, without any code");
    killed(
        "payment",
        "KILLED_BEFORE_COMMIT",
        "The order service is killed while its transaction is open.",
        "no marker row: it is written as \"rolled back\", so it can never commit");
    killed(
        "refund",
        "KILLED_AFTER_COMMIT",
        "Killed after the commit of a refund, whose check-back the shop has written itself.",
        "the shop's bean \"order-refunded\" looks at the order: refunded");
    killed(
        "refund",
        "KILLED_BEFORE_COMMIT",
        "Killed while the transaction of a refund is open.",
        "the shop's bean \"order-refunded\" looks at the order: not refunded");
    return surprises;
  }

  private void title(String text) {
    out.println();
    out.println(text);
  }

  private void line(String text) {
    out.println("  " + text);
  }

  private void normalWay() throws IOException, InterruptedException {
    title("The normal way: prepare, local transaction, commit, for each of some orders.");
    long first = last + 1;
    for (int i = 0; i < options.orders(); i++) {
      last++;
      expect(200, post("payment", last, "NONE"), "payment of order " + last);
    }
    line("orders " + first + ".." + last + " are paid");
    for (long order = first; order <= last; order++) {
      awaitEntry("order-paid", order);
    }
    line("all of them are in the ledger; the answer for one was lost, so that one comes again");
  }

  private void refusedByTheBank() throws IOException, InterruptedException {
    title("The transaction fails: it is rolled back, and so is the message.");
    for (int i = 0; i < REFUSED; i++) {
      last++;
      expect(409, post("payment", last, "EXCEPTION"), "payment of order " + last);
      expect("ROLLED_BACK", state("order-paid", last), "message of order " + last);
    }
    long first = last - REFUSED + 1;
    line("orders " + first + ".." + last + ": the centre has their messages as ROLLED_BACK");
  }

  private void killed(String what, String trouble, String title, String how)
      throws IOException, InterruptedException {
    title(title);
    last++;
    if (what.equals("refund")) {
      expect(200, post("payment", last, "NONE"), "payment of order " + last);
      awaitEntry("order-paid", last);
    }
    web.begin(call(what, last, trouble));
    company.orders().awaitCrash();
    line("its process " + company.orders().pid() + " is gone, as after kill -9");
    String business = what.equals("refund") ? "order-refunded" : "order-paid";
    String prepared = state(business, last);
    atTheCentre(what, ": " + prepared);
    expect("PREPARED", prepared, business + " of order " + last + " after the kill");
    company.startOrders();
    line(
        "it is started again as process "
            + company.orders().pid()
            + (options.checkBack() ? "; the centre asks it" : "; nobody asks it"));
    boolean commits = trouble.equals("KILLED_AFTER_COMMIT");
    asked(what, business, commits ? "COMMITTED" : "ROLLED_BACK", how);
  }

  private void asked(String what, String business, String expected, String how)
      throws IOException, InterruptedException {
    int looks = options.checkBack() ? Integer.MAX_VALUE : LOOKS_IN_VAIN;
    boolean decided = awaitDecision(looks, business);
    String state = state(business, last);
    atTheCentre(what, (decided ? ": " : " is still ") + state);
    if (decided) {
      line("(" + how + ")");
    }
    expect(expected, state, business + " of order " + last);
    if (state.equals("COMMITTED")) {
      awaitEntry(business, last);
      line("it is in the ledger");
    }
  }

  private void atTheCentre(String what, String state) {
    line(what + " of order " + last + " at the centre" + state);
  }

  private boolean awaitDecision(int looks, String business) throws InterruptedException {
    Web.Condition decided = () -> !state(business, last).equals("PREPARED");
    return looks == Integer.MAX_VALUE ? web.await(decided) : web.await(looks, decided);
  }

  private String call(String what, long order, String trouble) {
    return company.orders().address() + "/orders/" + order + "/" + what + "?trouble=" + trouble;
  }

  private int post(String what, long order, String trouble)
      throws IOException, InterruptedException {
    return web.post(call(what, order, trouble));
  }

  private String state(String business, long order) throws IOException, InterruptedException {
    String address = company.centre().address() + "/v1/half-messages/" + business + "/" + order;
    Matcher state = STATE.matcher(web.get(address));
    return state.find() ? state.group(1) : "without a state";
  }

  private void awaitEntry(String business, long order) throws InterruptedException {
    String entry = business + " " + order;
    String address = company.ledger().address() + "/entries";
    if (!web.await(() -> web.get(address).lines().anyMatch(entry::equals))) {
      surprises.add("no entry " + entry + " in the ledger");
    }
  }

  private void expect(Object expected, Object actual, String what) {
    if (!expected.equals(actual)) {
      surprises.add(what + ": " + actual + " (expected: " + expected + ")");
    }
  }
}
