package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@RequiresServer(Server.REDIS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // The server is started before the first test.
@Thorough
class RedisServerTest {
  private static final ServerOptions OWN = ServerOptions.standard().ownProcess();

  private RedisServer redis;

  @BeforeAll
  void start() {
    redis = RedisServer.start(OWN.proxied());
  }

  @AfterAll
  void close() {
    redis.close();
  }

  @Test
  void isTheProductThatWasAskedFor() {
    assertThat(redis.order("INFO server")).contains("redis_version:" + redis.version());
    assertThat(redis.server()).isEqualTo(Server.REDIS);
    assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + redis.proxy().port());
    assertThat(redis.directUri()).isEqualTo("redis://127.0.0.1:" + redis.port());
  }

  @Test
  void keepsWhatItConfirmedThroughKillAndRestart() {
    int port = redis.port();
    redis.order("SET killed value");

    long killed = redis.pid().orElseThrow();
    redis.kill();
    assertThat(redis.pid()).isEmpty();
    assertThat(ProcessHandle.of(killed)).isEmpty();
    assertThatThrownBy(() -> redis.order("PING")).isInstanceOf(IllegalStateException.class);
    redis.restart();

    assertThat(redis.port()).isEqualTo(port);
    assertThat(redis.order("GET killed")).isEqualTo("value");
  }

  @Test
  void stopsInGoodOrderAndStartsAgain() {
    redis.order("SET stopped value");

    redis.stop();
    assertThat(redis.pid()).isEmpty();
    redis.restart();

    assertThat(redis.order("GET stopped")).isEqualTo("value");
  }

  @Test
  void answersNothingWhilePausedAndGoesOnAfterwards() throws Exception {
    redis.pause();
    CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> redis.order("PING"));
    assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    redis.resume();

    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("PONG");
  }

  @Test
  void takesTheServersOwnSettings() {
    try (RedisServer small = RedisServer.start(OWN.setting("maxmemory", "2097152"))) {
      assertThat(small.order("INFO memory")).contains("maxmemory:2097152");
    }
  }

  @Test
  void entersWithAPassword() throws Exception {
    try (RedisServer closed = RedisServer.start(OWN)) {
      closed.order("CONFIG SET requirepass secret");
      RedisAddress known = RedisAddress.parse("redis://:secret@127.0.0.1:" + closed.port());

      assertThat(RedisOrders.version(known)).isEqualTo(closed.version());
      assertThatThrownBy(() -> closed.order("PING"))
          .hasRootCauseMessage("The answer of Redis is -NOAUTH Authentication required.");
    }
  }

  @Test
  void saysWhyItDoesNotStartAndLeavesNothingBehind(@TempDir Path temporary) {
    String usual = System.setProperty("java.io.tmpdir", temporary.toString());
    try {
      assertThatThrownBy(() -> RedisServer.start(OWN.setting("no-such-setting", "1")))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("Redis")
          .hasMessageContaining("no-such-setting");
    } finally {
      System.setProperty("java.io.tmpdir", String.valueOf(usual));
    }

    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  @RequiresServer(value = Server.REDIS, from = Origin.PACKAGE)
  void runsFromThePackageOfTheDistributionWithoutInstallingIt() {
    try (RedisServer unpacked = RedisServer.start(ServerOptions.standard().from(Origin.PACKAGE))) {
      assertThat(unpacked.order("SET unpacked value")).isEqualTo("OK");
      assertThat(unpacked.origin()).isEqualTo(Origin.PACKAGE);
    }
  }

  @Test
  void refusesWhatIsNoAddressOfRedisWithoutTellingThePassword() {
    assertThatThrownBy(() -> RedisAddress.parse("http://me:secret@somewhere"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ANGARIUM_TEST_REDIS")
        .hasMessageContaining("somewhere")
        .hasMessageNotContaining("secret");
    assertThat(RedisAddress.parse("redis://me:secret@somewhere"))
        .hasToString("RedisAddress[somewhere:6379]");
  }
}
