package io.angarium.testservers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a JDBC URL.
 *
 * @param scheme everything before the host, for instance {@code jdbc:postgresql://}
 * @param parameters everything after the database, with its question mark, or empty
 */
record JdbcAddress(String scheme, String host, int port, String database, String parameters) {
  private static final Pattern FORM =
      Pattern.compile("(jdbc:[a-z]+://)([^:/?,]+|\\[[^\\]]+\\]):(\\d+)/([^?]*)(\\?.*)?");

  static JdbcAddress parse(String url) {
    Matcher parts = FORM.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "Not a JDBC URL with one host and its port: "
              + url.replaceFirst("\\?.*", "?...")
              + " (expected: jdbc:<database>://<host>:<port>/<name>)");
    }
    String parameters = parts.group(5) == null ? "" : parts.group(5);
    int port = Integer.parseInt(parts.group(3));
    return new JdbcAddress(parts.group(1), parts.group(2), port, parts.group(4), parameters);
  }

  JdbcAddress at(String otherHost, int otherPort) {
    return new JdbcAddress(scheme, otherHost, otherPort, database, parameters);
  }

  String url(String otherDatabase) {
    return scheme + host + ":" + port + "/" + otherDatabase + parameters;
  }
}
