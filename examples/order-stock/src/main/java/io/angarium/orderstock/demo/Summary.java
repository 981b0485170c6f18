package io.angarium.orderstock.demo;

import io.angarium.reconciliation.Report;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;

/** The check at the end, for people. Immutable. */
record Summary(Options options, Books books, Report audit, int crashes) {
  private static final int SHOWN = 10;
  private static final Comparator<String> BY_NUMBER = Comparator.comparing(Long::valueOf);

  void print(PrintStream out, boolean agree) {
    out.println();
    line(out, "", "orders paid", "stock movements");
    line(out, "count", books.paid().size(), books.movementCount());
    line(out, "quantity", books.paidQuantity(), books.bookedQuantity());
    line(out, "taken off the stock", "", books.deducted());
    line(out, "paid, not booked", ids(audit.missing()), "");
    line(out, "booked more than once", "", ids(audit.repeated()));
    line(out, "booked, never paid", "", ids(audit.unexpected()));
    line(out, "stock service killed", "", crashes + " of " + options.crash());
    out.println();
    out.println(
        agree
            ? "RIGHT: paid orders and stock movements agree."
            : "WRONG: paid orders and stock movements do not agree.");
  }

  private static void line(PrintStream out, String name, Object orders, Object stock) {
    out.println("  %-22s %14s %16s".formatted(name, orders, stock));
  }

  private static String ids(List<String> ids) {
    if (ids.isEmpty()) {
      return "none";
    }
    String first = String.join(", ", ids.stream().sorted(BY_NUMBER).limit(SHOWN).toList());
    return ids.size() + ": " + first + (ids.size() > SHOWN ? ", ..." : "");
  }
}
