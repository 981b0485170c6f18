package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
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
  private static final Duration LEASE = Duration.ofMillis(600);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final InboxKey KEY = InboxKey.of("stock", "1");
  private static final InboxKey OTHER = InboxKey.of("stock", "2");

  private final List<RedisFixture> fixtures = new ArrayList<>();

  private RedisFixture open(RedisInboxConfig config) {
    RedisFixture fixture = new RedisFixture(SharedServers.redis(), config);
    fixtures.add(fixture);
    return fixture;
  }

  /** Whoever waits, waits for three leases. */
  private static RedisInboxConfig renewed() {
    return RedisInboxTest.quick(LEASE).whenBusy(WhenBusy.WAIT, LEASE.multipliedBy(3));
  }

  private static RedisInboxConfig notRenewed() {
    return RedisInboxTest.quick(LEASE)
        .lease(LEASE, Duration.ZERO)
        .whenBusy(WhenBusy.WAIT, PATIENCE);
  }

  @AfterEach
  void close() {
    fixtures.forEach(RedisFixture::close);
  }

  @Test
  void leaseOfWorkThatGoesOnIsRenewed() {
    RedisFixture fixture = open(renewed());

    fixture
        .inbox()
        .processAll(
            List.of(KEY, OTHER),
            (claim, fresh) -> {
              assertThatThrownBy(() -> fixture.another().process(OTHER, c -> {}))
                  .isInstanceOf(ConcurrentDeliveryException.class);
              assertThat(claim.leaseLeft()).isPositive();
            });

    assertThat(fixture.another().processAll(List.of(KEY, OTHER), (c, fresh) -> {})).isEmpty();
  }

  @Test
  void renewalHasAnEnd() {
    RedisFixture fixture = open(notRenewed().lease(LEASE, LEASE.dividedBy(2)));

    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
                        KEY, claim -> assertThat(fixture.another().process(KEY, c -> {})).isTrue()))
        .isInstanceOf(LostClaimException.class);
  }

  @Test
  void leaseThatIsOverIsToldAndTheOneWhoTookOverHasAGreaterToken() {
    RedisFixture fixture = open(notRenewed());
    List<Long> tokens = new ArrayList<>();

    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .process(
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
    assertThat(fixture.inbox().process(KEY, c -> {})).isFalse();
  }

  @Test
  void claimOfTheOneWhoTookOverIsLeftAlone() throws Exception {
    RedisFixture fixture = open(notRenewed());
    RedisInbox second =
        RedisInbox.open(
            fixture.client(), RedisInboxConfig.DEFAULTS.prefix(fixture.config().prefix()));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (second) {
      List<Future<Boolean>> taken = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  fixture
                      .inbox()
                      .processAll(
                          List.of(KEY, OTHER),
                          (claim, fresh) -> {
                            taken.add(
                                threads.submit(
                                    () ->
                                        second.process(
                                            KEY,
                                            c -> {
                                              begun.countDown();
                                              assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
                                            })));
                            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                            throw new IOException("planned");
                          }))
          .isInstanceOf(IOException.class);
      assertThat(fixture.another().process(OTHER, c -> {})).as("given back, or over").isTrue();

      end.countDown();

      assertThat(taken.get(0)).succeedsWithin(PATIENCE).isEqualTo(true);
      assertThat(fixture.inbox().process(KEY, c -> {})).isFalse();
    } finally {
      end.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void whatSomebodyElseIsProcessingIsToldAndNotNoted() throws Exception {
    RedisFixture fixture = open(notRenewed());
    RedisInbox second =
        RedisInbox.open(
            fixture.client(), RedisInboxConfig.DEFAULTS.prefix(fixture.config().prefix()));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (second) {
      List<Future<Boolean>> taken = new ArrayList<>();
      assertThatThrownBy(
              () ->
                  fixture
                      .inbox()
                      .process(
                          KEY,
                          claim -> {
                            taken.add(
                                threads.submit(
                                    () ->
                                        second.process(
                                            KEY,
                                            c -> {
                                              begun.countDown();
                                              assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
                                              throw new IOException("planned");
                                            })));
                            assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
                          }))
          .isInstanceOf(LostClaimException.class)
          .hasMessageContaining(KEY + " (being processed by somebody else)");
      end.countDown();

      assertThat(taken.get(0))
          .failsWithin(PATIENCE)
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
    RedisFixture fixture = open(RedisInboxConfig.DEFAULTS);

    assertThatThrownBy(
            () ->
                fixture
                    .inbox()
                    .processAll(
                        List.of(KEY, OTHER),
                        (claim, fresh) ->
                            SharedServers.redis()
                                .order("DEL " + fixture.config().prefix() + ":stock:" + KEY.id())))
        .isInstanceOfSatisfying(
            LostClaimException.class, e -> assertThat(e.keys()).isEqualTo(List.of(KEY)))
        .hasMessageContaining(KEY + " (claimed by nobody now, and noted as processed)");

    assertThat(fixture.another().processAll(Set.of(KEY, OTHER), (c, fresh) -> {})).isEmpty();
  }

  @Test
  void claimOfAConsumerThatWasKilledIsOverWithItsLease() throws Exception {
    RedisFixture fixture = open(renewed());
    String prefix = fixture.config().prefix();
    try (ClaimingProcess consumer =
        ClaimingProcess.start(SharedServers.redis().uri(), prefix, LEASE, KEY)) {
      assertThatThrownBy(() -> fixture.inbox().process(KEY, c -> {}))
          .as("it lives, and its lease is renewed")
          .isInstanceOf(ConcurrentDeliveryException.class);

      consumer.kill();

      assertThat(fixture.inbox().process(KEY, c -> fixture.write(c, "here"))).isTrue();
      assertThat(fixture.written()).containsExactly("here");
    }
  }
}
