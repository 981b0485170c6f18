package io.angarium.examples.consoledemo;

/**
 * What may be said on the command line. Immutable.
 *
 * @param port where the console is served, 0..65535; the next free one if it is taken
 */
public record Options(int port) {
  /** The options, for people. */
  public static final String USAGE =
      """
      Options of console-demo:
        --port=8099   where the console is served; the next free port if it is taken, 0 for any
        --help        print this\
      """;

  private static final String PORT = "--port";
  private static final int PORT_STANDARD = 8099;
  private static final int PORT_MAX = 65_535;

  /**
   * Reads the command line. The value may stand behind an equals sign or in the next argument.
   *
   * @throws IllegalArgumentException naming what is not understood
   */
  public static Options parse(String... args) {
    int port = PORT_STANDARD;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals(PORT) && i + 1 < args.length) {
        port = port(args[++i]);
      } else if (args[i].startsWith(PORT + "=")) {
        port = port(args[i].substring(PORT.length() + 1));
      } else {
        throw new IllegalArgumentException(args[i] + ": not known");
      }
    }
    return new Options(port);
  }

  private static int port(String value) {
    try {
      int port = Integer.parseInt(value);
      if (port >= 0 && port <= PORT_MAX) {
        return port;
      }
    } catch (NumberFormatException e) {
      // named below, with the others
    }
    throw new IllegalArgumentException(PORT + "=" + value + " (expected: 0.." + PORT_MAX + ")");
  }
}
