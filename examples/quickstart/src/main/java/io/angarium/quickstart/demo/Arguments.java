package io.angarium.quickstart.demo;

/**
 * What may be said on the command line. Immutable.
 *
 * @param port where the page is served on the loopback address, 0..65535; 0 means any free one
 * @param database which database to start
 * @param help whether only the usage is to be printed
 */
public record Arguments(int port, DatabaseChoice database, boolean help) {
  /** The options, for people. */
  public static final String USAGE =
      """
      Options of the quickstart:
        --port=8080            port of the page on 127.0.0.1 (also --server.port=); 0 takes a free one
        --database=postgresql  or h2; without it PostgreSQL, and H2 where that cannot start
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

  /**
   * Reads the command line.
   *
   * @throws StartupException naming the first argument that is not understood
   */
  public static Arguments parse(String... args) {
    Arguments parsed = new Arguments(PORT_DEFAULT, DatabaseChoice.BEST, false);
    for (String argument : args) {
      parsed = parsed.with(argument);
    }
    return parsed;
  }

  private Arguments with(String argument) {
    int equals = argument.indexOf('=');
    String name = equals < 0 ? argument : argument.substring(0, equals);
    String value = argument.substring(equals + 1);
    return switch (name) {
      case "--port", "--server.port" -> new Arguments(port(argument, value), database, help);
      case "--database" -> new Arguments(port, choice(argument, value), help);
      case "--help", "-h" -> new Arguments(port, database, true);
      default -> throw new StartupException("Unknown argument: " + argument + "\n\n" + USAGE);
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

  private static DatabaseChoice choice(String argument, String value) {
    return switch (value) {
      case "postgresql" -> DatabaseChoice.POSTGRESQL;
      case "h2" -> DatabaseChoice.H2;
      default -> throw new StartupException(argument + " (expected: postgresql or h2)");
    };
  }
}
