package io.angarium.messagecentre;

import io.angarium.messagecentre.demo.Demonstration;
import io.angarium.messagecentre.demo.Options;
import io.angarium.messagecentre.demo.WrongOptionException;
import java.io.IOException;
import java.util.List;

/** The command: starts everything, kills the order service, and compares the books at the end. */
public final class MessageCentre {
  private MessageCentre() {}

  /**
   * Runs it. Ends with status 0 if orders and ledger agree, 1 if they do not, 2 if the command line
   * is wrong.
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
