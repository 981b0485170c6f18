package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.Test;

/** A short run of what CONTRIBUTING tells how to run long. */
class CrashTest {
  private static final int KILLS = 14;
  private static final int MESSAGES = 5_000;

  /** What is the same for all brokers was killed often enough. */
  private static final int KILLS_OF_OTHERS = 6;

  @Test
  @RequiresServer({Server.POSTGRESQL, Server.KAFKA})
  void killedServicesLoseInventAndDisorderNothingOnPostgresql() throws Exception {
    check(CrashRun.run(Server.POSTGRESQL, BrokerKind.KAFKA, KILLS, MESSAGES, 0));
  }

  @Test
  @RequiresServer({Server.MARIADB, Server.KAFKA})
  void killedServicesLoseInventAndDisorderNothingOnMariadb() throws Exception {
    check(CrashRun.run(Server.MARIADB, BrokerKind.KAFKA, KILLS, MESSAGES, 0));
  }

  @Test
  @RequiresServer({Server.POSTGRESQL, Server.RABBITMQ})
  void killedServicesLoseInventAndDisorderNothingAtRabbitMq() throws Exception {
    check(CrashRun.run(Server.POSTGRESQL, BrokerKind.RABBITMQ, KILLS_OF_OTHERS, MESSAGES, 0));
  }

  @Test
  @RequiresServer({Server.POSTGRESQL, Server.ROCKETMQ})
  void killedServicesLoseInventAndDisorderNothingAtRocketMq() throws Exception {
    check(CrashRun.run(Server.POSTGRESQL, BrokerKind.ROCKETMQ, KILLS_OF_OTHERS, MESSAGES, 0));
  }

  private static void check(Verdict verdict) {
    assertThat(verdict.committed()).isGreaterThanOrEqualTo(MESSAGES);
    assertThat(verdict.lost()).isEmpty();
    assertThat(verdict.unknown()).isEmpty();
    assertThat(verdict.disorder()).isEmpty();
    assertThat((long) verdict.duplicates()).isLessThanOrEqualTo(verdict.duplicatesMax());
  }
}
