package io.angarium.orderstock.demo;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What may be said on the command line. Immutable.
 *
 * @param broker kafka, rabbitmq or rocketmq
 * @param database postgresql or mariadb
 * @param orders how many are paid, 1..100000
 * @param fail how many of the deductions fail, in percent, 0..20
 * @param crash how often the stock service is killed in mid-work, 0..20
 * @param slow how long a deduction takes, in milliseconds, 0..5000
 * @param duplicates how many messages are sent twice, in percent, 0..100
 * @param inbox whether the stock service has one
 */
public record Options(
    String broker,
    String database,
    int orders,
    int fail,
    int crash,
    int slow,
    int duplicates,
    boolean inbox) {
  /** The options, for people. */
  public static final String USAGE =
      """
      Options of order-stock:
        --broker=kafka         or rabbitmq, rocketmq
        --database=postgresql  or mariadb
        --orders=200           how many orders are paid
        --fail=10              so many percent of the deductions fail after they have written
        --crash=1              so often the stock service is killed in the middle of its work
        --slow=5               a deduction takes so many milliseconds
        --duplicates=20        so many percent of the messages are sent twice
        --without-inbox        repeats are not noticed: the check at the end must fail
        --help                 print this""";

  /** With more an order may fail so often in a row that its message becomes a dead letter. */
  private static final int FAIL_MAX = 20;

  private static final String WITHOUT_INBOX = "--without-inbox";

  /**
   * Reads the command line. Values may stand behind an equals sign or in the next argument.
   *
   * @throws WrongOptionException naming what is not understood
   */
  public static Options parse(String... args) {
    Map<String, String> given = new HashMap<>();
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String[] parts = rest.next().split("=", 2);
      boolean complete = parts.length > 1 || parts[0].equals(WITHOUT_INBOX) || !rest.hasNext();
      given.put(parts[0], complete ? parts[parts.length - 1] : rest.next());
    }
    Options options =
        new Options(
            choice(given, "--broker", "kafka", "rabbitmq", "rocketmq"),
            choice(given, "--database", "postgresql", "mariadb"),
            number(given, "--orders", 200, 1, 100_000),
            number(given, "--fail", 10, 0, FAIL_MAX),
            number(given, "--crash", 1, 0, 20),
            number(given, "--slow", 5, 0, 5000),
            number(given, "--duplicates", 20, 0, 100),
            inbox(given));
    if (!given.isEmpty()) {
      throw new WrongOptionException(given.keySet().iterator().next() + ": not known");
    }
    return options;
  }

  private static boolean inbox(Map<String, String> given) {
    String value = given.remove(WITHOUT_INBOX);
    if (value != null && !value.equals(WITHOUT_INBOX)) {
      throw new WrongOptionException(
          WITHOUT_INBOX + "=" + value + " (expected: no value; leave it out to keep the inbox)");
    }
    return value == null;
  }

  private static String choice(Map<String, String> given, String name, String... choices) {
    String value = given.getOrDefault(name, choices[0]);
    given.remove(name);
    if (!List.of(choices).contains(value)) {
      throw new WrongOptionException(
          name + "=" + value + " (expected: " + String.join(", ", choices) + ")");
    }
    return value;
  }

  private static int number(
      Map<String, String> given, String name, int standard, int min, int max) {
    String value = given.getOrDefault(name, Integer.toString(standard));
    given.remove(name);
    try {
      int number = Integer.parseInt(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below, with the others
    }
    throw new WrongOptionException(name + "=" + value + " (expected: " + min + ".." + max + ")");
  }

  /**
   * At which of its works the stock service is killed: each time it is started, so early that there
   * is work left for the last time. 0 for never.
   */
  int crashAt() {
    return crash == 0 ? 0 : Math.max(1, orders / (2 * crash));
  }
}
