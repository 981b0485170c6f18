package io.angarium.messagecentre.demo;

import java.util.Iterator;
import java.util.List;

/**
 * What may be said on the command line. Immutable.
 *
 * @param orders how many are paid without any trouble, 1..10000
 * @param checkBack whether the centre asks for what nobody decides
 */
public record Options(int orders, boolean checkBack) {
  /** The options, for people. */
  public static final String USAGE =
      """
      Options of message-centre:
        --orders=20            how many orders are paid before the trouble begins
        --without-check-back   nobody is asked: the comparison at the end must fail
        --help                 print this""";

  private static final int ORDERS_MAX = 10_000;

  /**
   * Reads the command line. A value may stand behind an equals sign or in the next argument.
   *
   * @throws WrongOptionException naming what is not understood
   */
  public static Options parse(String... args) {
    int orders = 20;
    boolean checkBack = true;
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String[] parts = rest.next().split("=", 2);
      switch (parts[0]) {
        case "--orders" ->
            orders = number(parts.length > 1 || !rest.hasNext() ? parts : next(rest));
        case "--without-check-back" -> checkBack = false;
        default -> throw new WrongOptionException(parts[0] + ": not known");
      }
    }
    return new Options(orders, checkBack);
  }

  private static String[] next(Iterator<String> rest) {
    return new String[] {"--orders", rest.next()};
  }

  private static int number(String... parts) {
    String value = parts[parts.length - 1];
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= ORDERS_MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below, with the others
    }
    throw new WrongOptionException("--orders=" + value + " (expected: 1.." + ORDERS_MAX + ")");
  }
}
