package io.angarium.testservers;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of server that tests can ask for. */
public enum Server {
  /** PostgreSQL, 13 or newer. */
  POSTGRESQL("PostgreSQL"),
  /** MariaDB, 10.6 or newer. */
  MARIADB("MariaDB"),
  /** MySQL itself (not MariaDB under its old name), 8.0 or newer. */
  MYSQL("MySQL"),
  /** Apache Kafka in KRaft mode. */
  KAFKA("Kafka"),
  /** RabbitMQ, 3.10 or newer. */
  RABBITMQ("RabbitMQ"),
  /** Apache RocketMQ 5. */
  ROCKETMQ("RocketMQ"),
  /** Redis, 6.0 or newer. */
  REDIS("Redis"),
  /** PgBouncer, a pooler in front of PostgreSQL. */
  PGBOUNCER("PgBouncer"),
  /** Chromium or Chrome with its driver: no server, but as likely to be missing as one. */
  CHROMIUM("Chromium"),
  /** Prometheus with promtool: it reads what is measured, and checks files of rules. */
  PROMETHEUS("Prometheus");

  private final String title;

  Server(String title) {
    this.title = title;
  }

  /** The name as its makers write it, for messages to people. */
  public String title() {
    return title;
  }

  /** The name in lower case, as in the list of required servers and in names of files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The environment variable that names a running server to use instead of one started by the
   * tests, for instance {@code ANGARIUM_TEST_POSTGRESQL}. Its value is a JDBC URL, or {@code
   * host:port} for Kafka and for the name server of RocketMQ, or an AMQP URI for RabbitMQ, or a
   * {@code redis://} one for Redis; a database's user and password stand in the same variable with
   * {@code _USER} and {@code _PASSWORD} appended.
   */
  public String variable() {
    return "ANGARIUM_TEST_" + name();
  }

  /**
   * The address under {@link #variable()}: the system property {@code angarium.test.<key>} when
   * set, otherwise the environment variable; empty when neither is.
   */
  Optional<String> named() {
    return Settings.find("angarium.test." + key(), variable());
  }

  static Server of(String key) {
    return Arrays.stream(values())
        .filter(server -> server.key().equals(key.strip().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Unknown server: %s (expected one of: %s)".formatted(key, keys())));
  }

  private static String keys() {
    return Arrays.stream(values()).map(Server::key).collect(Collectors.joining(", "));
  }
}
