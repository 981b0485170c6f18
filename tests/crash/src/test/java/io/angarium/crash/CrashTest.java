package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import org.junit.jupiter.api.Test;

/** Short forms of the run that CONTRIBUTING describes. */
class CrashTest {
  private static final int KILLS = 4;
  private static final int MESSAGES = 2_000;

  private static final int KILLS_THOROUGH = 14;
  private static final int MESSAGES_THOROUGH = 5_000;

  @Test
  @RequiresServer({Server.POSTGRESQL, Server.KAFKA})
  void killedServicesLoseInventAndDisorderNothingOnPostgresql() throws Exception {
    check(Server.POSTGRESQL, BrokerKind.KAFKA, KILLS, MESSAGES);
  }

  @Test
  @RequiresServer({Server.MARIADB, Server.RABBITMQ})
  void killedServicesLoseInventAndDisorderNothingAtRabbitMq() throws Exception {
    check(Server.MARIADB, BrokerKind.RABBITMQ, KILLS, MESSAGES);
  }

  @Test
  @Thorough
  @RequiresServer({Server.POSTGRESQL, Server.KAFKA})
  void manyKillsLoseInventAndDisorderNothingOnPostgresql() throws Exception {
    check(Server.POSTGRESQL, BrokerKind.KAFKA, KILLS_THOROUGH, MESSAGES_THOROUGH);
  }

  @Test
  @Thorough
  @RequiresServer({Server.MARIADB, Server.KAFKA})
  void killedServicesLoseInventAndDisorderNothingOnMariadb() throws Exception {
    check(Server.MARIADB, BrokerKind.KAFKA, KILLS_THOROUGH, MESSAGES_THOROUGH);
  }

  @Test
  @Thorough
  @RequiresServer({Server.POSTGRESQL, Server.RABBITMQ})
  void manyKillsLoseInventAndDisorderNothingAtRabbitMq() throws Exception {
    check(Server.POSTGRESQL, BrokerKind.RABBITMQ, KILLS_THOROUGH, MESSAGES_THOROUGH);
  }

  @Test
  @Thorough
  @RequiresServer({Server.POSTGRESQL, Server.ROCKETMQ})
  void killedServicesLoseInventAndDisorderNothingAtRocketMq() throws Exception {
    check(Server.POSTGRESQL, BrokerKind.ROCKETMQ, KILLS_THOROUGH, MESSAGES_THOROUGH);
  }

  private static void check(Server server, BrokerKind broker, int kills, int messages)
      throws Exception {
    Verdict verdict = CrashRun.run(server, broker, kills, messages, 0);

    assertThat(verdict.committed()).isGreaterThanOrEqualTo(messages);
    assertThat(verdict.lost()).isEmpty();
    assertThat(verdict.unknown()).isEmpty();
    assertThat(verdict.disorder()).isEmpty();
    assertThat((long) verdict.duplicates()).isLessThanOrEqualTo(verdict.duplicatesMax());
  }
}
