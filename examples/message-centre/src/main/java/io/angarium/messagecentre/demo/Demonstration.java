package io.angarium.messagecentre.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** Starts the three processes, lets things go wrong, and compares the books. */
public final class Demonstration {
  private final Options options;
  private final PrintStream out;
  private final Web web = new Web();

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
   * @return whether orders and ledger agree, and everything came as it must
   */
  public boolean run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("message-centre-");
    out.println("Starting three processes, each with a database of its own, in " + folder + " ...");
    List<String> surprises;
    try (Company company = Company.start(folder, web, options)) {
      process("order service", company.orders());
      process("message centre", company.centre());
      process("ledger", company.ledger());
      surprises = new Story(company, web, options, out).tell();
    }
    return compare(folder, surprises);
  }

  private void process(String name, Service service) {
    out.printf("  %-15s %s, process %d%n", name, service.address(), service.pid());
  }

  private boolean compare(Path folder, List<String> surprises) throws IOException {
    try {
      Books books = Books.read(folder);
      if (books.deliveries() <= books.booked().size()) {
        surprises.add("no message came twice, so nothing is shown of the inbox");
      }
      boolean right = books.agree() && surprises.isEmpty();
      new Summary(books, surprises).print(out, right);
      if (right) {
        delete(folder);
      } else {
        out.println("The databases and logs are kept in " + folder);
      }
      return right;
    } catch (SQLException e) {
      throw new IOException("The databases in " + folder + " cannot be read", e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
