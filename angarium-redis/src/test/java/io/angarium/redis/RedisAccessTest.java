package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RedisServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestCertificate;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SslOptions;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The inbox on a Redis that does not let everybody in, and on one of several with sentinels. */
@OnOneJdk
final class RedisAccessTest {
  /** How far its replica has come, and how far the master itself. */
  private static final Pattern OFFSETS =
      Pattern.compile("slave0:.*offset=(\\d+).*master_repl_offset:(\\d+)", Pattern.DOTALL);

  private static final ServerOptions OWN = ServerOptions.standard().ownProcess();

  /** All that the inbox needs, by its documentation. */
  private static final String RIGHTS =
      " resetkeys ~angarium-inbox:* +eval +evalsha +get +set +del +pexpire +time";

  @TempDir private Path folder;

  @Test
  @RequiresServer(Server.REDIS)
  void userWithTheDocumentedRightsProcesses() {
    try (RedisServer redis = RedisServer.start(OWN)) {
      redis.order("ACL SETUSER stock on >secret" + RIGHTS);

      assertProcesses(RedisClient.create(redis.uri().replace("//", "//stock:secret@")));
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void wrongPasswordStopsTheStartWithAReason() {
    try (RedisServer redis = RedisServer.start(OWN)) {
      redis.order("CONFIG SET requirepass secret");

      assertProcesses(RedisClient.create(redis.uri().replace("//", "//:secret@")));
      assertRefused(RedisClient.create(redis.uri().replace("//", "//:wrong@")), "WRONGPASS");
      assertRefused(RedisClient.create(redis.uri()), "NOAUTH");
    }
  }

  @Test
  @RequiresServer(Server.REDIS)
  void certificateIsLookedAt() {
    TestCertificate own = TestCertificate.in(folder);
    int port = FreePort.find();
    try (RedisServer redis =
        RedisServer.start(
            OWN.setting("tls-port", Integer.toString(port))
                .setting("tls-cert-file", own.certificate().toString())
                .setting("tls-key-file", own.privateKey().toString())
                .setting("tls-auth-clients", "no"))) {
      String uri = "rediss://" + redis.host() + ":" + port;
      SslOptions strict =
          SslOptions.builder().jdkSslProvider().handshakeTimeout(RedisFixture.PATIENCE).build();
      SslOptions trusting = strict.mutate().trustManager(own.certificate().toFile()).build();

      assertProcesses(withTls(uri, trusting));
      assertRefused(withTls(uri, strict), "certification path");
    }
  }

  private static RedisClient withTls(String uri, SslOptions options) {
    RedisClient client = RedisClient.create(uri);
    client.setOptions(ClientOptions.builder().sslOptions(options).build());
    return client;
  }

  @Test
  @RequiresServer(Server.REDIS)
  void replicaThatBecomesTheMasterKnowsWhatWasProcessed() {
    try (RedisServer master = RedisServer.start(OWN);
        RedisServer replica = replicaOf(master);
        RedisServer sentinel = RedisServer.startSentinel("stock", master)) {
      RedisFixture.await("the sentinel to know the replica", () -> isKnown(sentinel));
      RedisClient client =
          RedisClient.create("redis-sentinel://127.0.0.1:" + sentinel.port() + "#stock");
      try (RedisInbox inbox = RedisInbox.open(client, RedisFixture.PATIENT)) {
        assertThat(inbox.process(key("1"), claim -> {})).isTrue();
        RedisFixture.await("the replica to have all of it", () -> isReplicated(master));

        master.kill();
        RedisFixture.await("the replica to be the master", () -> isPromoted(sentinel, replica));

        AtomicInteger tries = new AtomicInteger();
        RedisFixture.await(
            "the inbox to find the new master",
            () -> processes(inbox, key("try-" + tries.incrementAndGet())));
        assertThat(replica.order("INFO replication")).contains("role:master");
        assertThat(inbox.process(key("1"), claim -> {})).isFalse();
      } finally {
        client.shutdown();
      }
    }
  }

  /** Its port in an address of a Redis: it answers, but knows no script. */
  @Test
  @RequiresServer(Server.REDIS)
  void sentinelThatIsTakenForARedisStopsTheStart() {
    try (RedisServer master = RedisServer.start(OWN);
        RedisServer sentinel = RedisServer.startSentinel("stock", master)) {
      RedisClient client = RedisClient.create("redis://127.0.0.1:" + sentinel.port());
      try {
        assertThatThrownBy(() -> RedisInbox.open(client, RedisFixture.PATIENT).close())
            .isInstanceOf(ConfigurationException.class)
            .hasMessageContainingAll("Redis mode: sentinel", "redis-sentinel://");
      } finally {
        client.shutdown();
      }
    }
  }

  private static RedisServer replicaOf(RedisServer master) {
    RedisServer replica = RedisServer.start(OWN);
    replica.order("REPLICAOF 127.0.0.1 " + master.port());
    RedisFixture.await(
        "the replica to follow", () -> master.order("INFO replication").contains("state=online"));
    return replica;
  }

  private static boolean isReplicated(RedisServer master) {
    Matcher offsets = OFFSETS.matcher(master.order("INFO replication"));
    return offsets.find() && offsets.group(1).equals(offsets.group(2));
  }

  private static boolean isKnown(RedisServer sentinel) {
    return sentinel.order("INFO sentinel").contains("slaves=1");
  }

  /**
   * Orders it until it is so: the sentinel refuses while it is at it, or has heard of no replica.
   */
  private static boolean isPromoted(RedisServer sentinel, RedisServer replica) {
    if (sentinel.order("INFO sentinel").contains("address=127.0.0.1:" + replica.port() + ",")) {
      return true;
    }
    try {
      sentinel.order("SENTINEL FAILOVER stock");
    } catch (IllegalStateException e) {
      assertThat(e.getCause()).hasMessageMatching(".* -(INPROG|NOGOODSLAVE) .*");
    }
    return false;
  }

  /** One that fails may have been noted, so that each try needs a message of its own. */
  private static boolean processes(RedisInbox inbox, InboxKey key) {
    try {
      return inbox.process(key, claim -> {});
    } catch (StoreException e) {
      return false;
    }
  }

  private static InboxKey key(String text) {
    return InboxKey.of("stock", text);
  }

  private static void assertProcesses(RedisClient client) {
    try (RedisInbox inbox = RedisInbox.open(client, RedisFixture.PATIENT)) {
      assertThat(inbox.process(key("1"), claim -> {})).isTrue();
      assertThat(inbox.process(key("1"), claim -> {})).isFalse();
    } finally {
      client.shutdown();
    }
  }

  private static void assertRefused(RedisClient client, String reason) {
    try {
      assertThatThrownBy(() -> RedisInbox.open(client, RedisFixture.PATIENT).close())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(reason);
    } finally {
      client.shutdown();
    }
  }
}
