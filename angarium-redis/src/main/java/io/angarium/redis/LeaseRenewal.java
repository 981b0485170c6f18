package io.angarium.redis;

import io.angarium.background.internal.RepeatingTask;
import io.angarium.redis.RedisCalls.Call;
import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prolongs the leases of work that goes on, once a third of a lease is over; work that ends before
 * costs nothing. As an answer is awaited for a third at most, and looks are many, a renewal without
 * an answer leaves time for another. Thread-safe.
 */
final class LeaseRenewal implements AutoCloseable {
  private static final int LOOKS_PER_LEASE = 12;
  private static final int PARTS_OF_LEASE = 3;
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);

  private final RedisCalls calls;
  private final RedisKeys names;
  private final RedisInboxConfig config;
  private final Duration interval;
  private final Duration dueLeft;
  private final Set<RedisClaim> open = ConcurrentHashMap.newKeySet();
  private final RepeatingTask rounds;

  LeaseRenewal(RedisCalls calls, RedisInboxConfig config) {
    this.calls = calls;
    this.names = new RedisKeys(config.prefix());
    this.config = config;
    this.interval = config.lease().dividedBy(LOOKS_PER_LEASE);
    this.dueLeft = config.lease().minus(config.lease().dividedBy(PARTS_OF_LEASE));
    this.rounds =
        new RepeatingTask(
            "angarium-redis-leases-" + config.prefix(),
            "The renewal of leases",
            interval,
            this::renewAll);
  }

  /** Starts the thread, a daemon, unless leases are not renewed. */
  void start() {
    if (!config.renewMax().isZero()) {
      rounds.start(interval);
    }
  }

  /** Work begins. */
  void begin(RedisClaim claim) {
    open.add(claim);
  }

  /** Work has ended. */
  void end(RedisClaim claim) {
    open.remove(claim);
  }

  private void renewAll() {
    open.stream().filter(this::isDue).map(this::ask).toList().forEach(this::take);
  }

  private boolean isDue(RedisClaim claim) {
    return claim.age().compareTo(config.renewMax()) < 0
        && claim.leaseLeft().compareTo(dueLeft) <= 0;
  }

  /** A renewal that has been asked for. */
  private record Asked(RedisClaim claim, Call call) {}

  private Asked ask(RedisClaim claim) {
    String lease = Long.toString(config.lease().toMillis());
    List<String> keys = names.of(claim.keys());
    return new Asked(claim, calls.start(Script.RENEW, keys, claim.processing(), lease));
  }

  private void take(Asked asked) {
    RedisClaim claim = asked.claim();
    try {
      Object renewed = calls.answer(asked.call()).get(0);
      if (((Number) renewed).intValue() == claim.keys().size()) {
        claim.renewed(asked.call().sentNanos(), config.lease());
      } else if (open.contains(claim)) {
        claim.lost(); // its work is told when it ends
      }
    } catch (RedisException e) {
      LOG.debug("The lease of {} could not be renewed; it is tried again: {}", claim, e.toString());
    }
  }

  /** Ends the thread; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
