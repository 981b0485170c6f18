package io.angarium.testservers;

import java.util.EnumMap;
import java.util.Map;

/**
 * One server of each kind for the whole JVM, started at the first use and ended with the JVM. Test
 * classes share the server and take a database ({@link DatabaseServer#freshDatabase()}), topics,
 * queues or keys of their own; they do not kill, stop or pause it. Thread-safe.
 */
public final class SharedServers {
  private static final Map<Server, TestServer> RUNNING = new EnumMap<>(Server.class);

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(SharedServers::close, "close-shared-servers"));
  }

  private SharedServers() {}

  /** The PostgreSQL of this JVM; the first call starts it and blocks for about a second. */
  public static DatabaseServer postgres() {
    return database(Server.POSTGRESQL);
  }

  /** The MariaDB of this JVM; the first call starts it and blocks for about a second. */
  public static DatabaseServer mariaDb() {
    return database(Server.MARIADB);
  }

  /** The MySQL of this JVM; the first call starts it and blocks for some seconds. */
  public static DatabaseServer mySql() {
    return database(Server.MYSQL);
  }

  /** The database server of this kind; see the methods named after each. */
  public static synchronized DatabaseServer database(Server server) {
    return (DatabaseServer) RUNNING.computeIfAbsent(server, DatabaseServer::start);
  }

  /** The Kafka broker of this JVM; the first call starts it and blocks for two or three seconds. */
  public static synchronized KafkaServer kafka() {
    return (KafkaServer)
        RUNNING.computeIfAbsent(
            Server.KAFKA, server -> KafkaServer.start(ServerOptions.standard()));
  }

  /** The RabbitMQ of this JVM; the first call starts it and blocks for some seconds. */
  public static synchronized RabbitServer rabbit() {
    return (RabbitServer)
        RUNNING.computeIfAbsent(
            Server.RABBITMQ, server -> RabbitServer.start(ServerOptions.standard()));
  }

  /** The RocketMQ of this JVM; the first call starts it and blocks for some seconds. */
  public static synchronized RocketServer rocket() {
    return (RocketServer)
        RUNNING.computeIfAbsent(
            Server.ROCKETMQ, server -> RocketServer.start(ServerOptions.standard()));
  }

  /** The Redis of this JVM; the first call starts it. Test classes take a prefix of their own. */
  public static synchronized RedisServer redis() {
    return (RedisServer)
        RUNNING.computeIfAbsent(
            Server.REDIS, server -> RedisServer.start(ServerOptions.standard()));
  }

  private static synchronized void close() {
    RUNNING.values().forEach(TestServer::close);
    RUNNING.clear();
  }
}
