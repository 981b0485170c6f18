package io.angarium.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.WhenBusy;
import io.angarium.testkit.tck.InboxFixture;
import io.angarium.testservers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Two inboxes on the same keys of one Redis, as two processes have them. */
final class RedisFixture implements InboxFixture<RedisClaim> {
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Neither a lease nor the time for an answer is over because a machine stalls. */
  static final RedisInboxConfig PATIENT =
      RedisInboxConfig.DEFAULTS
          .lease(Duration.ofMinutes(5), Duration.ofMinutes(10))
          .commandTimeout(PATIENCE)
          .whenBusy(WhenBusy.WAIT, PATIENCE);

  static final RedisInboxConfig TELLING = PATIENT.whenBusy(WhenBusy.TELL, Duration.ZERO);

  /** How long {@link #await} pauses: each look at Redis is a connection. */
  static final Duration LOOK = Duration.ofMillis(10);

  /** A sentinel that has stalled does nothing for half a minute. */
  private static final Duration AWAITED_MAX = Duration.ofMinutes(4);

  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private final RedisServer server;
  private final RedisInboxConfig config;
  private final RedisClient client;
  private final RedisInbox inbox;
  private final RedisInbox another;
  private final List<RedisInbox> others = new CopyOnWriteArrayList<>();
  private final List<String> written = new CopyOnWriteArrayList<>();

  RedisFixture(RedisServer server, RedisInboxConfig config) {
    this.server = server;
    this.config = config.prefix(newPrefix());
    this.client = RedisClient.create(server.uri());
    this.inbox = RedisInbox.open(client, this.config);
    this.another = RedisInbox.open(client, this.config);
  }

  /** A named server may keep the keys of earlier runs. */
  static String newPrefix() {
    return "test-" + ProcessHandle.current().pid() + "-" + PREFIXES.incrementAndGet();
  }

  /** A short lease, renewed: for {@link #assemble}, as an inbox that is opened has little time. */
  static RedisInboxConfig shortLease(Duration lease) {
    return RedisInboxConfig.DEFAULTS
        .commandTimeout(lease.dividedBy(3))
        .lease(lease, Duration.ofMinutes(10));
  }

  /**
   * An inbox on another clock. It has {@link #PATIENCE} for answers, however short the lease; for
   * those to renewals it has what is configured, as they are tried again.
   */
  static RedisInbox assemble(RedisClient client, RedisInboxConfig config, TimeSource time) {
    StatefulRedisConnection<String, String> connection = client.connect();
    RedisCalls calls = new RedisCalls(connection, PATIENCE, time);
    String owner = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    RedisClaims claims = new RedisClaims(calls, config, time, owner);
    RedisCalls renewals = new RedisCalls(connection, config.commandTimeout(), time);
    LeaseRenewal renewal = new LeaseRenewal(renewals, config);
    renewal.start();
    return new RedisInbox(calls, claims, renewal);
  }

  static void await(String what, BooleanSupplier done) {
    long deadline = System.nanoTime() + AWAITED_MAX.toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  RedisInboxConfig config() {
    return config;
  }

  /** One more inbox on the same keys. */
  RedisInbox open(RedisInboxConfig other) {
    return closing(RedisInbox.open(client, other.prefix(config.prefix())));
  }

  /** One more inbox on the same keys, on another clock: {@link #assemble}. */
  RedisInbox open(RedisInboxConfig other, TimeSource time) {
    return closing(assemble(client, other.prefix(config.prefix()), time));
  }

  private RedisInbox closing(RedisInbox opened) {
    others.add(opened);
    return opened;
  }

  RedisClient client() {
    return client;
  }

  /** The name in Redis. */
  String name(InboxKey key) {
    return config.prefix() + ":" + key.consumer() + ":" + key.id();
  }

  /** Negative if there is no such key in Redis. */
  Duration timeToLive(InboxKey key) {
    return Duration.ofMillis(Long.parseLong(server.order("PTTL " + name(key))));
  }

  void expire(InboxKey key, Duration time) {
    server.order("PEXPIRE " + name(key) + " " + time.toMillis());
  }

  @Override
  public RedisInbox inbox() {
    return inbox;
  }

  @Override
  public RedisInbox another() {
    return another;
  }

  @Override
  public RedisInbox impatient() {
    return open(config.whenBusy(WhenBusy.WAIT, Duration.ofMillis(50)));
  }

  @Override
  public boolean undoesFailedWork() {
    return false;
  }

  @Override
  public void write(RedisClaim claim, String line) {
    written.add(line);
  }

  @Override
  public List<String> written() {
    return List.copyOf(written);
  }

  @Override
  public void close() {
    inbox.close();
    another.close();
    others.forEach(RedisInbox::close);
    client.shutdown();
  }
}
