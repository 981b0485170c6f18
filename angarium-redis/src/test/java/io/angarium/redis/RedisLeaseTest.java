package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.TimeSource;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims that end before their work, and those that do not. */
@RequiresServer(Server.REDIS)
final class RedisLeaseTest {
  private static final Duration LEASE = Duration.ofSeconds(36);

  /** What a test leaves of a lease: if more is left, it has been renewed since. */
  private static final Duration SHORTENED = Duration.ofSeconds(27);

  static final RedisInboxConfig RENEWED =
      RedisFixture.PATIENT.commandTimeout(LEASE.dividedBy(3)).lease(LEASE, Duration.ofMinutes(10));

  private static final InboxKey KEY = InboxKey.of("stock", "1");
  private static final InboxKey OTHER = InboxKey.of("stock", "2");

  private final RedisFixture fixture =
      new RedisFixture(SharedServers.redis(), RedisFixture.PATIENT);
  private final JumpingClock clock = new JumpingClock();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void leaseOfWorkThatGoesOnIsRenewed() {
    RedisInbox inbox = fixture.open(RENEWED, clock);
    RedisInbox telling = fixture.open(RedisFixture.TELLING);

    inbox.processAll(
        List.of(KEY, OTHER),
        (claim, fresh) -> {
          awaitRenewal(claim);
          assertThatThrownBy(() -> telling.process(OTHER, c -> {}))
              .isInstanceOf(ConcurrentDeliveryException.class);
          assertThat(claim.leaseLeft()).isPositive();
        });

    assertThat(fixture.another().processAll(List.of(KEY, OTHER), (c, fresh) -> {})).isEmpty();
  }

  /** Lets it become due, and waits until Redis has done it for all keys and the claim knows. */
  private void awaitRenewal(RedisClaim claim) {
    claim.keys().forEach(key -> fixture.expire(key, SHORTENED));
    clock.jump(LEASE.dividedBy(2));
    RedisFixture.await(
        "the renewal of " + claim,
        () ->
            claim.leaseLeft().compareTo(SHORTENED) > 0
                && claim.keys().stream().allMatch(this::isRenewed));
  }

  private boolean isRenewed(InboxKey key) {
    return fixture.timeToLive(key).compareTo(SHORTENED) > 0;
  }

  /** The round that renews the younger claim has seen the older one, too. */
  @Test
  void renewalHasAnEnd() {
    RedisInbox inbox = fixture.open(RENEWED, clock);

    assertThatThrownBy(
            () ->
                inbox.process(
                    KEY,
                    claim -> {
                      clock.jump(RENEWED.renewMax());
                      fixture.expire(KEY, SHORTENED);
                      inbox.process(OTHER, this::awaitRenewal);
                      assertThat(isRenewed(KEY)).isFalse();
                      fixture.expire(KEY, Duration.ZERO);
                      assertThat(fixture.another().process(KEY, c -> {})).isTrue();
                    }))
        .isInstanceOf(LostClaimException.class);
  }

  @Test
  void leaseThatIsOverIsToldAndTheOneWhoTookOverHasAGreaterToken() {
    Duration lease = Duration.ofMillis(600);
    RedisInboxConfig notRenewed = RedisFixture.shortLease(lease).lease(lease, Duration.ZERO);
    RedisInbox inbox = fixture.open(notRenewed, TimeSource.SYSTEM);
    List<Long> tokens = new ArrayList<>();

    assertThatThrownBy(
            () ->
                inbox.process(
                    KEY,
                    claim -> {
                      tokens.add(claim.token());
                      fixture.another().process(KEY, c -> tokens.add(c.token()));
                      assertThat(claim.leaseLeft()).isZero();
                    }))
        .isInstanceOfSatisfying(
            LostClaimException.class, e -> assertThat(e.keys()).containsExactly(KEY))
        .hasMessageContainingAll(KEY + " (processed by somebody else)", "renew-max", "lease");

    assertThat(tokens).hasSize(2).isSorted().doesNotHaveDuplicates();
    assertThat(inbox.process(KEY, c -> {})).isFalse();
  }

  @Test
  void claimOfTheOneWhoTookOverIsLeftAlone() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      List<Future<Boolean>> taken = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  fixture
                      .inbox()
                      .processAll(
                          List.of(KEY, OTHER),
                          (claim, fresh) -> {
                            fixture.expire(KEY, Duration.ZERO);
                            taken.add(
                                threads.submit(
                                    () ->
                                        fixture
                                            .another()
                                            .process(
                                                KEY,
                                                c -> {
                                                  begun.countDown();
                                                  await(end);
                                                })));
                            await(begun);
                            throw new IOException("planned");
                          }))
          .isInstanceOf(IOException.class);
      assertThat(fixture.another().process(OTHER, c -> {})).as("given back").isTrue();

      end.countDown();

      assertThat(taken.get(0)).succeedsWithin(RedisFixture.PATIENCE).isEqualTo(true);
      assertThat(fixture.inbox().process(KEY, c -> {})).isFalse();
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void whatSomebodyElseIsProcessingIsToldAndNotNoted() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      List<Future<Boolean>> taken = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  fixture
                      .inbox()
                      .process(
                          KEY,
                          claim -> {
                            fixture.expire(KEY, Duration.ZERO);
                            taken.add(
                                threads.submit(
                                    () ->
                                        fixture
                                            .another()
                                            .process(
                                                KEY,
                                                c -> {
                                                  begun.countDown();
                                                  await(end);
                                                  throw new IOException("planned");
                                                })));
                            await(begun);
                          }))
          .isInstanceOf(LostClaimException.class)
          .hasMessageContaining(KEY + " (being processed by somebody else)");
      end.countDown();

      assertThat(taken.get(0))
          .failsWithin(RedisFixture.PATIENCE)
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(IOException.class);
      assertThat(fixture.another().process(KEY, c -> {})).as("it failed there").isTrue();
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void claimThatRedisForgotIsToldAndItsWorkIsNoted() {
    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .processAll(
                        List.of(KEY, OTHER),
                        (claim, fresh) -> SharedServers.redis().order("DEL " + fixture.name(KEY))))
        .isInstanceOfSatisfying(
            LostClaimException.class, e -> assertThat(e.keys()).isEqualTo(List.of(KEY)))
        .hasMessageContaining(KEY + " (claimed by nobody now, and noted as processed)");

    assertThat(fixture.another().processAll(Set.of(KEY, OTHER), (c, fresh) -> {})).isEmpty();
  }

  @Test
  void claimOfAConsumerThatWasKilledIsOverWithItsLease() throws Exception {
    RedisInbox telling = fixture.open(RedisFixture.TELLING);
    try (ClaimingProcess consumer =
        ClaimingProcess.start(SharedServers.redis().uri(), fixture.config().prefix(), KEY)) {
      fixture.expire(KEY, SHORTENED);
      RedisFixture.await("the renewal by the other process", () -> isRenewed(KEY));
      assertThatThrownBy(() -> telling.process(KEY, c -> {}))
          .as("it lives, and its lease is renewed")
          .isInstanceOf(ConcurrentDeliveryException.class);

      consumer.kill();
      fixture.expire(KEY, Duration.ofSeconds(1)); // what is left of its lease

      assertThat(fixture.inbox().process(KEY, c -> fixture.write(c, "here"))).isTrue();
      assertThat(fixture.written()).containsExactly("here");
    }
  }
}
