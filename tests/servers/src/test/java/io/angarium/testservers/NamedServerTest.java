package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Servers that an environment variable names are used as guests use a house. */
@Thorough
class NamedServerTest {
  /** Uses a named database and says what came of it. */
  static final class DatabaseGuest {
    private DatabaseGuest() {}

    public static void main(String[] arguments) {
      Server kind = Server.of(arguments[0]);
      try (DatabaseServer server = DatabaseServer.start(kind)) {
        System.out.println("server " + server.origin() + " " + server.version());
        server.freshDatabase().execute("CREATE TABLE t (n INT)");
        server.kill();
      } catch (UnsupportedOperationException e) {
        System.out.println("refused " + e.getMessage());
      } catch (Exception e) {
        System.out.println("failed " + e);
      }
    }
  }

  /** Uses a named broker and says what came of it. */
  static final class KafkaGuest {
    private KafkaGuest() {}

    public static void main(String[] arguments) {
      try (KafkaServer server = KafkaServer.start(ServerOptions.standard())) {
        server.createTopic("of-a-guest", 1);
        System.out.println("server " + server.origin() + " " + server.bootstrapServers());
        server.pause();
      } catch (UnsupportedOperationException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }

  /** Uses a named RabbitMQ and says what came of it. */
  static final class RabbitGuest {
    private RabbitGuest() {}

    public static void main(String[] arguments) {
      try (RabbitServer server = RabbitServer.start(ServerOptions.standard())) {
        System.out.println("server " + server.origin() + " " + server.uri());
        refusing(() -> server.ctl("list_queues"));
        refusing(server::pause);
      }
    }

    private static void refusing(Runnable call) {
      try {
        call.run();
      } catch (UnsupportedOperationException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }

  /** Uses a named Redis and says what came of it. */
  static final class RedisGuest {
    private RedisGuest() {}

    public static void main(String[] arguments) {
      try (RedisServer server = RedisServer.start(ServerOptions.standard())) {
        System.out.println("server " + server.origin() + " " + server.uri());
        server.kill();
      } catch (UnsupportedOperationException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }

  /** Uses a named RocketMQ and says what came of it. */
  static final class RocketGuest {
    private RocketGuest() {}

    public static void main(String[] arguments) {
      try (RocketServer server = RocketServer.start(ServerOptions.standard())) {
        server.createTopic("of-a-guest", 1);
        System.out.println("server " + server.origin() + " " + server.port());
        server.kill();
      } catch (UnsupportedOperationException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void postgresIsUsedAndLeftAsItWas() throws Exception {
    databaseIsUsedAndLeftAsItWas(
        Server.POSTGRESQL,
        "SELECT string_agg(datname, ',' ORDER BY datname) FROM pg_database"
            + " WHERE NOT datistemplate");
  }

  @Test
  @RequiresServer(Server.MARIADB)
  void mariaDbIsUsedAndLeftAsItWas() throws Exception {
    databaseIsUsedAndLeftAsItWas(
        Server.MARIADB, "SELECT GROUP_CONCAT(schema_name) FROM information_schema.schemata");
  }

  private static void databaseIsUsedAndLeftAsItWas(Server kind, String databases) throws Exception {
    try (DatabaseServer house = DatabaseServer.start(kind, ServerOptions.standard().ownProcess());
        Connection inside = house.createDatabase("hall").connect()) {
      String before = DatabaseServerContract.select(inside, databases);
      String url = house.jdbcUrl("hall");
      Map<String, String> environment =
          Map.of(
              kind.variable(),
              url,
              kind.variable() + "_USER",
              house.user(),
              kind.variable() + "_PASSWORD",
              house.password());

      try (ChildJvm guest = ChildJvm.start(DatabaseGuest.class, environment, kind.key())) {
        assertThat(guest.await("server ")).isEqualTo("NAMED " + house.version());
        assertThat(guest.await("refused ")).contains(kind.variable());
        assertThat(guest.exitCode()).isZero();
      }

      assertThat(house.pid()).isPresent();
      assertThat(DatabaseServerContract.select(inside, databases)).isEqualTo(before);
    }
  }

  @Test
  @RequiresServer(Server.KAFKA)
  void kafkaIsUsedAndNeverPaused() throws Exception {
    KafkaServer house = SharedServers.kafka();
    Map<String, String> environment =
        Map.of(Server.KAFKA.variable(), house.directBootstrapServers());

    try (ChildJvm guest = ChildJvm.start(KafkaGuest.class, environment)) {
      assertThat(guest.await("server ")).isEqualTo("NAMED " + house.directBootstrapServers());
      assertThat(guest.await("refused ")).contains(Server.KAFKA.variable());
      assertThat(guest.exitCode()).isZero();
    }
  }

  @Test
  @RequiresServer(Server.RABBITMQ)
  void rabbitIsUsedAndNeverPaused() throws Exception {
    RabbitServer house = SharedServers.rabbit();
    Map<String, String> environment = Map.of(Server.RABBITMQ.variable(), house.directUri());

    try (ChildJvm guest = ChildJvm.start(RabbitGuest.class, environment)) {
      assertThat(guest.await("server ")).isEqualTo("NAMED " + house.directUri());
      assertThat(guest.await("refused ")).contains(Server.RABBITMQ.variable());
      assertThat(guest.await("refused ")).contains(Server.RABBITMQ.variable());
      assertThat(guest.exitCode()).isZero();
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void redisIsUsedAndNeverKilled() throws Exception {
    RedisServer house = SharedServers.redis();
    Map<String, String> environment = Map.of(Server.REDIS.variable(), house.directUri());

    try (ChildJvm guest = ChildJvm.start(RedisGuest.class, environment)) {
      assertThat(guest.await("server ")).isEqualTo("NAMED " + house.directUri());
      assertThat(guest.await("refused ")).contains(Server.REDIS.variable());
      assertThat(guest.exitCode()).isZero();
    }
  }

  @Test
  @RequiresServer(Server.ROCKETMQ)
  void rocketIsUsedAndNeverKilled() throws Exception {
    RocketServer house = SharedServers.rocket();
    Map<String, String> environment = Map.of(Server.ROCKETMQ.variable(), house.directNameServer());

    try (ChildJvm guest = ChildJvm.start(RocketGuest.class, environment)) {
      assertThat(guest.await("server ")).isEqualTo("NAMED " + house.port());
      assertThat(guest.await("refused ")).contains(Server.ROCKETMQ.variable());
      assertThat(guest.exitCode()).isZero();
    }
  }
}
