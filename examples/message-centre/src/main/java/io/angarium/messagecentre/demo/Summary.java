package io.angarium.messagecentre.demo;

import java.io.PrintStream;
import java.util.List;

/** The comparison at the end, for people. Immutable. */
record Summary(Books books, List<String> surprises) {
  void print(PrintStream out, boolean right) {
    out.println();
    out.println("All processes have ended. Their databases:");
    line(out, "committed by the order service", books.committed().size());
    line(out, "booked by the ledger", books.booked().size());
    line(out, "committed, not booked", text(books.missing()));
    line(out, "booked more than once", text(books.repeated()));
    line(out, "booked, never committed", text(books.unexpected()));
    line(out, "still undecided at the centre", books.undecided());
    line(out, "repeats that the inbox dropped", books.deliveries() - books.booked().size());
    surprises.forEach(surprise -> line(out, "otherwise than it must be", surprise));
    out.println();
    out.println(
        right
            ? "RIGHT: what the order service committed is in the ledger once, and nothing else."
            : "WRONG: orders and ledger do not agree.");
  }

  private static void line(PrintStream out, String name, Object value) {
    out.printf("  %-32s %s%n", name, value);
  }

  private static String text(List<String> entries) {
    return entries.isEmpty() ? "none" : String.join(", ", entries);
  }
}
