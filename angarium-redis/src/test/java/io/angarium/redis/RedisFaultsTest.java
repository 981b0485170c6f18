package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
import io.angarium.store.StoreException;
import io.angarium.testservers.FaultProxy.Way;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RedisServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Redis that is killed, frozen, cut off, forgetful and full. */
@OnOneJdk
@RequiresServer(Server.REDIS)
@Timeout(90)
final class RedisFaultsTest {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final InboxKey KEY = InboxKey.of("stock", "1");

  private static RedisServer redis;

  private RedisFixture fixture;

  @BeforeAll
  static void start() {
    redis = RedisServer.start(ServerOptions.standard().ownProcess().proxied());
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void open() {
    fixture =
        new RedisFixture(
            redis, RedisInboxTest.quick(LEASE).whenBusy(WhenBusy.WAIT, LEASE.multipliedBy(10)));
  }

  @AfterEach
  void close() {
    redis.order("CONFIG SET maxmemory 0");
    redis.proxy().heal();
    fixture.close();
  }

  private String name() {
    return fixture.config().prefix() + ":stock:" + KEY.id();
  }

  @Test
  void frozenRedisIsNotWaitedForAndTheWorkIsNotRun() {
    redis.proxy().blackhole();

    assertThatThrownBy(() -> fixture.inbox().process(KEY, c -> fixture.write(c, "a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("Not processed", KEY.toString(), "no answer within PT1S");
    assertThat(fixture.written()).isEmpty();

    redis.proxy().heal();
    assertThat(fixture.inbox().process(KEY, c -> fixture.write(c, "b"))).isTrue();
    assertThat(fixture.written()).containsExactly("b");
  }

  @Test
  void redisThatFreezesDuringTheWorkIsToldAndTheWorkRunsAgainAfterTheLease() {
    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
                        KEY,
                        c -> {
                          fixture.write(c, "a");
                          redis.proxy().blackhole();
                        }))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("not known to be noted", KEY.toString());
    redis.proxy().cutAll();
    redis.proxy().heal();

    assertThat(fixture.another().process(KEY, c -> fixture.write(c, "b"))).isTrue();
    assertThat(fixture.written()).containsExactly("a", "b");
  }

  @Test
  void oneRenewalThatIsSwallowedIsNotTheEndOfTheLease() {
    RedisInboxConfig config =
        RedisInboxTest.quick(LEASE.multipliedBy(3)).prefix(RedisFixture.newPrefix());
    Semaphore sent = new Semaphore(0);
    RedisClient client = RedisClient.create(redis.uri());
    client.addListener(
        new CommandListener() {
          @Override
          public void commandStarted(CommandStartedEvent event) {
            sent.release();
          }
        });
    try (RedisInbox inbox = RedisInbox.open(client, config)) {
      boolean first =
          inbox.process(
              KEY,
              claim -> {
                redis.proxy().blackhole();
                sent.drainPermits();
                sent.acquireUninterruptibly(); // the first renewal
                Duration timedOut = config.commandTimeout().plusMillis(200);
                awaitLeft(claim, claim.leaseLeft().minus(timedOut));
                redis.proxy().cutAll(); // what was held back is gone
                redis.proxy().heal();
                awaitRenewedOrLost(claim, config.lease().dividedBy(2));
              });

      assertThat(first).isTrue();
      assertThat(inbox.process(KEY, c -> {})).isFalse();
    } finally {
      client.shutdown();
    }
  }

  private static void awaitLeft(RedisClaim claim, Duration left) {
    while (!claim.leaseLeft().isZero() && claim.leaseLeft().compareTo(left) > 0) {
      Thread.onSpinWait();
    }
  }

  private static void awaitRenewedOrLost(RedisClaim claim, Duration renewed) {
    while (!claim.leaseLeft().isZero() && claim.leaseLeft().compareTo(renewed) < 0) {
      Thread.onSpinWait();
    }
    assertThat(claim.leaseLeft()).isPositive();
  }

  @Test
  void failureOfTheWorkIsNotHiddenByThatOfRedis() {
    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
                        KEY,
                        c -> {
                          redis.proxy().blackhole();
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .isInstanceOf(StoreException.class)
                    .asString()
                    .contains("could not be given back"));
  }

  @Test
  void redisThatIsKilledAndStartedAgainKeepsItsNotesAndClaims() {
    InboxKey done = InboxKey.of("stock", "done");
    fixture.inbox().process(done, c -> {});

    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
                        KEY,
                        c -> {
                          fixture.write(c, "a");
                          redis.kill();
                        }))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> fixture.inbox().process(KEY, c -> fixture.write(c, "never")))
        .isInstanceOf(StoreException.class);
    redis.restart();

    assertThat(reconnected(fixture.inbox(), done)).isFalse();
    assertThat(fixture.inbox().process(KEY, c -> fixture.write(c, "b"))).isTrue();
    assertThat(fixture.written()).containsExactly("a", "b");
  }

  /** The client connects again by itself, but not at once. */
  private static boolean reconnected(RedisInbox inbox, InboxKey key) {
    while (true) {
      try {
        return inbox.process(key, c -> {});
      } catch (StoreException e) {
        assertThat(e).hasMessageContaining("Not processed");
      }
    }
  }

  /** The client sends again what had no answer; the claim must be known as its own. */
  @Test
  void claimWhoseAnswerWasLostIsOnesOwn() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (RedisInbox telling =
        RedisInbox.open(
            fixture.client(),
            RedisInboxConfig.DEFAULTS
                .prefix(fixture.config().prefix())
                .whenBusy(WhenBusy.TELL, Duration.ZERO))) {
      redis.proxy().blackhole(Way.TO_CLIENT);
      Future<Boolean> delivery =
          threads.submit(() -> telling.process(KEY, c -> fixture.write(c, "a")));
      await("P ");
      redis.proxy().cutAll();
      redis.proxy().heal();

      assertThat(delivery.get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(fixture.written()).containsExactly("a");
      assertThat(redis.order("GET " + name())).startsWith("D ");
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void noteWhoseAnswerWasLostIsOnesOwn() throws Exception {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Boolean> delivery =
          threads.submit(
              () -> fixture.inbox().process(KEY, c -> redis.proxy().blackhole(Way.TO_CLIENT)));
      await("D ");
      redis.proxy().cutAll();
      redis.proxy().heal();

      assertThat(delivery.get(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      threads.shutdownNow();
    }
  }

  private void await(String state) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (redis.order("EXISTS " + name()).equals("0")
        || !redis.order("GET " + name()).startsWith(state)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  @Test
  void scriptsThatRedisForgotAreSentAgain() {
    redis.order("SCRIPT FLUSH");
    assertThat(fixture.inbox().process(KEY, c -> redis.order("SCRIPT FLUSH"))).isTrue();
    assertThat(fixture.inbox().process(KEY, c -> {})).isFalse();

    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
                        InboxKey.of("stock", "2"),
                        c -> {
                          redis.order("SCRIPT FLUSH");
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class)
        .hasNoSuppressedExceptions();
    assertThat(fixture.another().process(InboxKey.of("stock", "2"), c -> {})).isTrue();
  }

  @Test
  void messageCostsOneRoundTripEachWayAndABatchNoMore() {
    fixture.inbox().process(KEY, c -> {});
    redis.order("CONFIG RESETSTAT");

    for (int i = 0; i < 50; i++) {
      fixture.inbox().process(InboxKey.of("stock", "single-" + i), c -> {});
    }
    assertThat(calls()).isEqualTo(100);
    fixture.inbox().process(KEY, c -> {});
    assertThat(calls()).as("a repeat").isEqualTo(101);
    List<InboxKey> batch =
        IntStream.range(0, 500).mapToObj(i -> InboxKey.of("stock", "batch-" + i)).toList();
    fixture.inbox().processAll(batch, (c, fresh) -> {});
    assertThat(calls()).as("a batch").isEqualTo(103);
  }

  /** How many commands clients have sent since the count was begun, without those of the test. */
  private static long calls() {
    String statistics = redis.order("INFO commandstats");
    return statistics
        .lines()
        .filter(line -> line.startsWith("cmdstat_eval"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^:]*:calls=(\\d+),.*", "$1")))
        .sum();
  }

  @Test
  void fullMemoryRefusesClaimsButNotTheNotesOfWorkThatWasDone() {
    fixture
        .inbox()
        .process(
            KEY,
            c -> {
              redis.order("CONFIG SET maxmemory 1");
              assertThatThrownBy(
                      () -> fixture.another().process(InboxKey.of("stock", "2"), open -> {}))
                  .isInstanceOf(StoreException.class)
                  .hasMessageContaining("OOM");
            });

    assertThat(redis.order("GET " + name())).startsWith("D ");
    assertThat(fixture.another().process(KEY, c -> {})).as("a repeat needs no memory").isFalse();
  }
}
