package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.testservers.RedisServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.SharedServers;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What an inbox wants of its Redis and of its configuration. */
final class RedisDeploymentTest {
  private static final ServerOptions OWN = ServerOptions.standard().ownProcess();

  @Test
  @RequiresServer(Server.REDIS)
  void redisThatEvictsAndIsAReplicaStopsTheStartWithAllItsFaults() {
    try (RedisServer redis =
        RedisServer.start(
            OWN.setting("maxmemory", "10000000").setting("maxmemory-policy", "volatile-lru"))) {
      redis.order("REPLICAOF 127.0.0.1 1");

      assertThatThrownBy(() -> open(redis).close())
          .isInstanceOfSatisfying(
              ConfigurationException.class,
              e ->
                  assertThat(e.faults())
                      .hasSize(2)
                      .anyMatch(fault -> fault.startsWith("Redis role: slave"))
                      .anyMatch(fault -> fault.startsWith("Redis maxmemory-policy: volatile-lru")));

      redis.order("REPLICAOF NO ONE");
      redis.order("CONFIG SET maxmemory-policy noeviction");
      try (RedisInbox inbox = open(redis)) {
        assertThat(inbox.process(InboxKey.of("stock", "1"), c -> {})).isTrue();
      }
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void clusterStopsTheStart() {
    try (RedisServer redis = RedisServer.start(OWN.setting("cluster-enabled", "yes"))) {
      assertThatThrownBy(() -> open(redis).close())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("Redis mode: cluster");
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void redisThatMayNotBeAskedIsUsed() {
    try (RedisServer redis = RedisServer.start(OWN)) {
      redis.order("ACL SETUSER default -info");

      try (RedisInbox inbox = open(redis)) {
        assertThat(inbox.process(InboxKey.of("stock", "1"), c -> {})).isTrue();
      }
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void redisThatIsAwayStopsTheStart() {
    int port;
    try (RedisServer redis = RedisServer.start(OWN)) {
      port = redis.port();
    }
    RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
    try {
      assertThatThrownBy(() -> RedisInbox.open(client, RedisFixture.PATIENT).close())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("127.0.0.1");
    } finally {
      client.shutdown();
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void clientStaysOpenWhenAnInboxIsClosed() {
    RedisClient client = RedisClient.create(SharedServers.redis().uri());
    try {
      RedisInboxConfig config = RedisFixture.PATIENT.prefix(RedisFixture.newPrefix());
      RedisInbox.open(client, config).close();

      try (RedisInbox inbox = RedisInbox.open(client, config)) {
        assertThat(inbox.process(InboxKey.of("stock", "1"), c -> {})).isTrue();
      }
    } finally {
      client.shutdown();
    }
  }

  @Test
  void oldRedisIsRefusedAndOneThatTellsNothingIsTaken() {
    assertThatThrownBy(() -> RedisDeployment.parse("redis_version:5.0.14\r\n").require())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Redis version: 5.0.14");
    RedisDeployment.parse("# nothing\r\n").require();
    RedisDeployment.parse("redis_version:8.2\r\nmaxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n")
        .require();
  }

  @Test
  void configurationTellsAllItsFaults() {
    assertThatThrownBy(
            () ->
                new RedisInboxConfig(
                    "a:b",
                    Duration.ofMillis(99),
                    Duration.ofDays(2),
                    Duration.ofSeconds(1),
                    Duration.ofDays(7),
                    RedisInboxConfig.DEFAULTS.whenBusy(),
                    Duration.ofHours(2),
                    Duration.ZERO))
        .isInstanceOfSatisfying(
            ConfigurationException.class,
            e ->
                assertThat(e.faults())
                    .hasSize(7)
                    .anyMatch(fault -> fault.contains("longer than inbox.redis.replay-window")));
    assertThatThrownBy(() -> RedisInboxConfig.DEFAULTS.commandTimeout(Duration.ofSeconds(11)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("at least three times inbox.redis.command-timeout, 11s");
  }

  private static RedisInbox open(RedisServer redis) {
    RedisClient client = RedisClient.create(redis.uri());
    try {
      return RedisInbox.open(client, RedisFixture.PATIENT);
    } catch (RuntimeException e) {
      client.shutdown();
      throw e;
    }
  }
}
