package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.testkit.ManualClock;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
@Timeout(300)
final class RedisFaultsTest {
  private static final InboxKey KEY = InboxKey.of("stock", "1");
  private static final InboxKey OTHER = InboxKey.of("stock", "2");

  private static RedisServer redis;

  private final JumpingClock clock = new JumpingClock();
  private RedisFixture fixture;
  private RedisInbox inbox;

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
    fixture = new RedisFixture(redis, RedisFixture.PATIENT);
    inbox = fixture.open(RedisFixture.PATIENT, clock);
  }

  @AfterEach
  void close() {
    redis.order("CONFIG SET maxmemory 0");
    redis.proxy().heal();
    fixture.close();
  }

  /** Redis does not answer any more, and the time for an answer is over at once. */
  private void freeze() {
    redis.proxy().blackhole();
    clock.jumpAtEachLook(RedisFixture.PATIENCE);
  }

  private void thaw() {
    redis.proxy().heal();
    clock.jumpAtEachLook(Duration.ZERO);
  }

  private String state() {
    return redis.order("EXISTS " + fixture.name(KEY)).equals("0")
        ? ""
        : redis.order("GET " + fixture.name(KEY));
  }

  private void await(String state) {
    RedisFixture.await(state, () -> state().startsWith(state));
  }

  @Test
  void frozenRedisIsNotWaitedForAndTheWorkIsNotRun() {
    freeze();

    assertThatThrownBy(() -> inbox.process(KEY, c -> fixture.write(c, "a")))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("Not processed", KEY.toString(), "no answer within 1m");
    assertThat(fixture.written()).isEmpty();

    thaw();
    assertThat(inbox.process(OTHER, c -> {})).isTrue(); // and what was held back has arrived
    fixture.expire(KEY, Duration.ZERO);
    assertThat(inbox.process(KEY, c -> fixture.write(c, "b"))).isTrue();
    assertThat(fixture.written()).containsExactly("b");
  }

  @Test
  void redisThatFreezesDuringTheWorkIsToldAndTheWorkRunsAgainAfterTheLease() {
    RedisInbox first = fixture.open(RedisFixture.shortLease(Duration.ofSeconds(3)), clock);
    assertThatThrownBy(
            () ->
                first.process(
                    KEY,
                    c -> {
                      fixture.write(c, "a");
                      freeze();
                    }))
        .isInstanceOf(StoreException.class)
        .hasMessageContainingAll("not known to be noted", KEY.toString());
    redis.proxy().cutAll();
    thaw();

    assertThat(fixture.another().process(KEY, c -> fixture.write(c, "b"))).isTrue();
    assertThat(fixture.written()).containsExactly("a", "b");
  }

  /**
   * That a second one is sent shows that the first has been given up. Until then the clock goes on
   * while the test waits, and so not while the machine stalls.
   */
  @Test
  void oneRenewalThatIsSwallowedIsNotTheEndOfTheLease() {
    Duration lease = Duration.ofMinutes(1);
    RedisInboxConfig config =
        RedisFixture.PATIENT
            .commandTimeout(Duration.ofSeconds(1))
            .lease(lease, Duration.ofMinutes(10))
            .prefix(fixture.config().prefix());
    AtomicInteger sent = new AtomicInteger();
    RedisClient client = RedisClient.create(redis.uri());
    client.addListener(
        new CommandListener() {
          @Override
          public void commandStarted(CommandStartedEvent event) {
            sent.incrementAndGet();
          }
        });
    ManualClock waited = ManualClock.create();
    try (RedisInbox renewing = RedisFixture.assemble(client, config, waited)) {
      boolean first =
          renewing.process(
              KEY,
              claim -> {
                fixture.expire(KEY, RedisFixture.PATIENT.lease());
                redis.proxy().blackhole();
                sent.set(0);
                waited.advance(lease.dividedBy(3)); // then it is due
                waited.advance(lease.dividedBy(3)); // and so long its answer may be awaited
                RedisFixture.await(
                    "a second renewal",
                    () -> {
                      waited.advance(RedisFixture.LOOK);
                      return sent.get() >= 2;
                    });
                Duration left = claim.leaseLeft();
                assertThat(left).isPositive();
                redis.proxy().cutAll(); // what was held back is gone
                redis.proxy().heal();
                RedisFixture.await("its answer", () -> claim.leaseLeft().compareTo(left) > 0);
              });

      assertThat(first).isTrue();
      assertThat(renewing.process(KEY, c -> {})).isFalse();
    } finally {
      client.shutdown();
    }
  }

  @Test
  void failureOfTheWorkIsNotHiddenByThatOfRedis() {
    assertThatThrownBy(
            () ->
                inbox.process(
                    KEY,
                    c -> {
                      freeze();
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
    inbox.process(done, c -> {});

    assertThatThrownBy(
            () ->
                inbox.process(
                    KEY,
                    c -> {
                      fixture.write(c, "a");
                      redis.kill();
                      clock.jumpAtEachLook(RedisFixture.PATIENCE);
                    }))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> inbox.process(KEY, c -> fixture.write(c, "never")))
        .isInstanceOf(StoreException.class);
    clock.jumpAtEachLook(Duration.ZERO);
    redis.restart();

    assertThat(reconnected(inbox, done)).isFalse();
    assertThat(state()).startsWith("P ");
    fixture.expire(KEY, Duration.ZERO);
    assertThat(inbox.process(KEY, c -> fixture.write(c, "b"))).isTrue();
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
    RedisInbox telling = fixture.open(RedisFixture.TELLING);
    try {
      redis.proxy().blackhole(Way.TO_CLIENT);
      Future<Boolean> delivery =
          threads.submit(() -> telling.process(KEY, c -> fixture.write(c, "a")));
      await("P ");
      redis.proxy().cutAll();
      redis.proxy().heal();

      assertThat(delivery.get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(fixture.written()).containsExactly("a");
      assertThat(state()).startsWith("D ");
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
                        OTHER,
                        c -> {
                          redis.order("SCRIPT FLUSH");
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class)
        .hasNoSuppressedExceptions();
    assertThat(fixture.another().process(OTHER, c -> {})).isTrue();
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
              assertThatThrownBy(() -> fixture.another().process(OTHER, open -> {}))
                  .isInstanceOf(StoreException.class)
                  .hasMessageContaining("OOM");
            });

    assertThat(state()).startsWith("D ");
    assertThat(fixture.another().process(KEY, c -> {})).as("a repeat needs no memory").isFalse();
  }
}
