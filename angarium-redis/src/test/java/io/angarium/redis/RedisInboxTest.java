package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
import io.angarium.testkit.tck.InboxTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The inbox on a Redis that works. */
@RequiresServer(Server.REDIS)
final class RedisInboxTest {
  private static final RedisInboxConfig PATIENT = RedisFixture.PATIENT;
  private static final Duration PATIENCE = RedisFixture.PATIENCE;
  private static final InboxKey KEY = InboxKey.of("stock", "1");

  @Nested
  final class Waiting implements InboxTck<RedisClaim> {
    private final RedisFixture fixture = new RedisFixture(SharedServers.redis(), PATIENT);

    @Override
    public RedisFixture fixture() {
      return fixture;
    }
  }

  @Nested
  final class Telling implements InboxTck<RedisClaim> {
    private final RedisFixture fixture =
        new RedisFixture(SharedServers.redis(), RedisFixture.TELLING);

    @Override
    public RedisFixture fixture() {
      return fixture;
    }

    @Test
    void anotherDeliveryIsToldAtOnce() {
      fixture
          .inbox()
          .process(
              KEY,
              claim -> {
                assertThatThrownBy(() -> fixture.another().process(KEY, c -> {}))
                    .isInstanceOf(ConcurrentDeliveryException.class)
                    .hasMessageContaining(KEY.toString());
                InboxKey other = InboxKey.of("stock", "other");
                assertThatThrownBy(
                        () -> fixture.another().processAll(List.of(KEY, other), (c, fresh) -> {}))
                    .isInstanceOf(ConcurrentDeliveryException.class)
                    .hasMessageContaining(KEY.toString());
                assertThat(fixture.another().process(other, c -> {}))
                    .as("a batch that is told holds nothing")
                    .isTrue();
              });

      assertThat(fixture.another().process(KEY, c -> {})).isFalse();
    }
  }

  private final List<RedisFixture> fixtures = new ArrayList<>();

  private RedisFixture open(RedisInboxConfig config) {
    RedisFixture fixture = new RedisFixture(SharedServers.redis(), config);
    fixtures.add(fixture);
    return fixture;
  }

  @AfterEach
  void close() {
    fixtures.forEach(RedisFixture::close);
  }

  @Test
  void waitForAnotherDeliveryHasAnEnd() {
    RedisFixture fixture = open(PATIENT.whenBusy(WhenBusy.WAIT, Duration.ofMillis(50)));

    fixture
        .inbox()
        .process(
            KEY,
            claim ->
                assertThatThrownBy(() -> fixture.another().process(KEY, c -> {}))
                    .isInstanceOf(ConcurrentDeliveryException.class));
  }

  @Test
  void interruptedDeliveryWaitsNoLongerAndStaysInterrupted() {
    RedisFixture fixture = open(PATIENT);

    fixture
        .inbox()
        .process(
            KEY,
            claim -> {
              Thread.currentThread().interrupt();
              assertThatThrownBy(() -> fixture.another().process(KEY, c -> {}))
                  .isInstanceOf(ConcurrentDeliveryException.class);
              assertThat(Thread.currentThread().isInterrupted()).isTrue();
            });

    assertThat(Thread.interrupted()).as("after the note was written").isTrue();
    assertThat(fixture.another().process(KEY, c -> {})).isFalse();
  }

  @Test
  void tokensGrowWhoeverClaims() throws Exception {
    RedisFixture fixture = open(PATIENT);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    long last = 0;
    try {
      for (int round = 0; round < 20; round++) {
        long before = last;
        List<Future<Long>> tokens = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          InboxKey key = InboxKey.of("stock", "token-" + round + "-" + i);
          RedisInbox inbox = i % 2 == 0 ? fixture.inbox() : fixture.another();
          tokens.add(threads.submit(() -> tokenOf(inbox, key)));
        }
        List<Long> found = new ArrayList<>();
        for (Future<Long> token : tokens) {
          assertThat(token).succeedsWithin(PATIENCE);
          found.add(token.get());
        }
        assertThat(found).doesNotHaveDuplicates().allMatch(token -> token > before);
        last = found.stream().mapToLong(Long::longValue).max().orElseThrow();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static long tokenOf(RedisInbox inbox, InboxKey key) {
    AtomicLong token = new AtomicLong();
    inbox.process(key, claim -> token.set(claim.token()));
    return token.get();
  }

  @Test
  void tokensGrowThoughRedisForgotTheLastOne() {
    RedisFixture fixture = open(PATIENT);
    long before = tokenOf(fixture.inbox(), InboxKey.of("stock", "before"));

    SharedServers.redis().order("DEL " + fixture.config().prefix() + ":token");

    assertThat(tokenOf(fixture.inbox(), InboxKey.of("stock", "after"))).isGreaterThan(before);
  }

  @Test
  void tokensGrowThoughTheClockOfRedisWentBack() {
    RedisFixture fixture = open(PATIENT);
    long future = 4_000_000_000_000_000L;

    SharedServers.redis().order("SET " + fixture.config().prefix() + ":token " + future);

    assertThat(tokenOf(fixture.inbox(), KEY)).isEqualTo(future + 1);
  }

  @Test
  void noteHasTheRetentionAndAClaimTheLeaseToLive() {
    RedisFixture fixture = open(PATIENT);
    Duration lease = fixture.config().lease();

    fixture
        .inbox()
        .process(
            KEY,
            claim -> {
              assertThat(SharedServers.redis().order("GET " + fixture.name(KEY)))
                  .startsWith("P " + claim.token() + " ");
              assertThat(fixture.timeToLive(KEY)).isBetween(lease.minus(PATIENCE), lease);
              assertThat(claim.leaseLeft()).isBetween(lease.minus(PATIENCE), lease);
            });

    assertThat(SharedServers.redis().order("GET " + fixture.name(KEY))).startsWith("D ");
    assertThat(fixture.timeToLive(KEY)).isBetween(Duration.ofDays(13), Duration.ofDays(14));
  }

  @Test
  void whatIsOlderThanTheRetentionIsForgotten() {
    RedisFixture fixture = open(PATIENT);
    fixture.inbox().process(KEY, c -> {});

    fixture.expire(KEY, Duration.ZERO);

    assertThat(fixture.inbox().process(KEY, c -> {})).isTrue();
  }

  /** Each in an order of its own, half of them in batches, each message eight times. */
  @Test
  void eightConsumersProcessEachMessageOnce() throws Exception {
    RedisFixture fixture = open(PATIENT);
    List<InboxKey> keys =
        IntStream.range(0, 240).mapToObj(i -> InboxKey.of("stock", "many-" + i)).toList();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> consumers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        List<InboxKey> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, new Random(i));
        int batch = i % 2 == 0 ? 1 : 20;
        consumers.add(threads.submit(() -> consume(fixture, shuffled, batch)));
      }
      for (Future<?> consumer : consumers) {
        assertThat(consumer).succeedsWithin(PATIENCE);
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(fixture.written())
        .containsExactlyInAnyOrderElementsOf(keys.stream().map(InboxKey::toString).toList());
  }

  private static void consume(RedisFixture fixture, List<InboxKey> keys, int batch) {
    RedisInboxConfig config = fixture.config();
    try (RedisInbox inbox = RedisInbox.open(fixture.client(), config)) {
      for (int from = 0; from < keys.size(); from += batch) {
        inbox.processAll(
            keys.subList(from, from + batch),
            (claim, fresh) -> fresh.forEach(key -> fixture.write(claim, key.toString())));
      }
    }
  }

  @Test
  void inboxesWithOtherPrefixesDoNotKnowOfEachOther() {
    RedisFixture one = open(PATIENT);
    RedisFixture two = open(PATIENT);

    assertThat(one.inbox().process(KEY, c -> {})).isTrue();
    assertThat(two.inbox().process(KEY, c -> {})).isTrue();
  }

  @Test
  void largestBatchIsTakenAndALargerOneIsRefused() {
    RedisFixture fixture = open(PATIENT);
    List<InboxKey> keys =
        IntStream.rangeClosed(0, RedisInbox.KEYS_MAX)
            .mapToObj(i -> InboxKey.of("stock", "many-" + i))
            .toList();

    assertThatThrownBy(() -> fixture.inbox().processAll(keys, (claim, fresh) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("10001", "10000");
    List<InboxKey> most = keys.subList(0, RedisInbox.KEYS_MAX);
    assertThat(fixture.inbox().processAll(most, (claim, fresh) -> {})).hasSize(most.size());
    assertThat(fixture.inbox().processAll(keys.subList(9_900, 10_001), (claim, fresh) -> {}))
        .isEqualTo(Set.of(keys.get(10_000)));
  }

  @Test
  void closedInboxProcessesNothing() {
    RedisFixture fixture = open(PATIENT);
    fixture.inbox().close();

    assertThatThrownBy(() -> fixture.inbox().process(KEY, c -> fixture.write(c, "a")))
        .isInstanceOf(io.angarium.StoreException.class);
    assertThat(fixture.written()).isEmpty();
    fixture.inbox().close();
  }
}
