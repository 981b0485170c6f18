package io.angarium.quickstart.demo;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * What may be said on the command line. Immutable.
 *
 * @param port where the page is served on the loopback address, 0..65535; 0 means any free one
 * @param database which database to start
 * @param broker which broker to start
 * @param help whether only the usage is to be printed
 */
public record Arguments(int port, DatabaseChoice database, BrokerChoice broker, boolean help) {
  /** The options, for people. */
  public static final String USAGE =
      """
      Options of the quickstart:
        --port=8080            port of the page on 127.0.0.1 (also --server.port=); 0 takes a free one
        --database=postgresql  or h2; without it PostgreSQL, and H2 where that cannot start
        --broker=kafka         or rabbitmq, rocketmq
        --help                 print this""";

  private static final int PORT_DEFAULT = 8080;
  private static final int PORT_MAX = 65_535;

  /** Which database to start. */
  public enum DatabaseChoice {
    /** PostgreSQL; H2 where that cannot start. */
    BEST,
    /** PostgreSQL or nothing. */
    POSTGRESQL,
    /** H2 in a file. */
    H2
  }

  /** Which broker to start. */
  public enum BrokerChoice {
    /** Apache Kafka. */
    KAFKA,
    /** RabbitMQ. */
    RABBITMQ,
    /** Apache RocketMQ. */
    ROCKETMQ;

    /** The name of its transport in destinations. */
    String transport() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Reads the command line. Values may stand behind an equals sign or in the next argument.
   *
   * @throws StartupException naming the first argument that is not understood
   */
  public static Arguments parse(String... args) {
    Arguments parsed = new Arguments(PORT_DEFAULT, DatabaseChoice.BEST, BrokerChoice.KAFKA, false);
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      parsed = parsed.with(rest.next(), rest);
    }
    return parsed;
  }

  private Arguments with(String argument, Iterator<String> rest) {
    int equals = argument.indexOf('=');
    String name = equals < 0 ? argument : argument.substring(0, equals);
    switch (name) {
      case "--help", "-h" -> {
        return new Arguments(port, database, broker, true);
      }
      case "--port", "--server.port", "--database", "--broker" -> {
        String following = rest.hasNext() && equals < 0 ? rest.next() : "";
        return with(name, equals < 0 ? following : argument.substring(equals + 1));
      }
      default -> throw new StartupException("Unknown argument: " + argument + "\n\n" + USAGE);
    }
  }

  private Arguments with(String name, String value) {
    String given = name + "=" + value;
    return switch (name) {
      case "--database" -> new Arguments(port, database(given, value), broker, help);
      case "--broker" -> new Arguments(port, database, broker(given, value), help);
      default -> new Arguments(port(given, value), database, broker, help);
    };
  }

  private static int port(String argument, String value) {
    try {
      int port = Integer.parseInt(value);
      if (port >= 0 && port <= PORT_MAX) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the others.
    }
    throw new StartupException(argument + " (expected: a port, 0.." + PORT_MAX + ")");
  }

  private static BrokerChoice broker(String argument, String value) {
    return Arrays.stream(BrokerChoice.values())
        .filter(choice -> choice.transport().equals(value))
        .findFirst()
        .orElseThrow(
            () -> new StartupException(argument + " (expected: kafka, rabbitmq or rocketmq)"));
  }

  private static DatabaseChoice database(String argument, String value) {
    return switch (value) {
      case "postgresql" -> DatabaseChoice.POSTGRESQL;
      case "h2" -> DatabaseChoice.H2;
      default -> throw new StartupException(argument + " (expected: postgresql or h2)");
    };
  }
}
