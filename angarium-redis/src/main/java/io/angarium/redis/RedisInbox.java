package io.angarium.redis;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An inbox for consumers that have no database: a message is claimed in Redis before its work and
 * noted as processed after it, with one round trip each. Weaker than an inbox in the database of
 * the work, because the work is not in a transaction with the note:
 *
 * <ul>
 *   <li>What failed work did is not undone; the claim is given back.
 *   <li>A consumer that dies between the effect of its work and the note leaves a claim, and when
 *       its lease is over the message is processed again.
 *   <li>Redis answers before its replicas and its disk know. A failover or a crash may forget what
 *       was processed last.
 * </ul>
 *
 * <p>While work goes on its lease is renewed. Work that must not be overtaken hands {@link
 * RedisClaim#token()} to whatever it writes to. Thread-safe; threads share one connection.
 */
public final class RedisInbox implements Inbox<RedisClaim>, AutoCloseable {
  /** The most keys of one batch: Redis serves nobody else while it looks at them. */
  public static final int KEYS_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(RedisInbox.class);

  private final RedisCalls calls;
  private final RedisClaims claims;
  private final LeaseRenewal renewal;

  /**
   * @param renewal started, unless leases are not to be renewed
   */
  RedisInbox(RedisCalls calls, RedisClaims claims, LeaseRenewal renewal) {
    this.calls = calls;
    this.claims = claims;
    this.renewal = renewal;
  }

  /**
   * Connects, checks that this Redis keeps what it is told, and starts the thread that renews
   * leases. Blocks.
   *
   * @param client to a single Redis, or to the master that sentinels name; stays the caller's
   * @throws io.angarium.ConfigurationException if this Redis is too old, a replica, a cluster, a
   *     sentinel, or evicts keys; lists every fault
   * @throws StoreException if Redis cannot be reached or refuses
   */
  public static RedisInbox open(RedisClient client, RedisInboxConfig config) {
    RedisCalls calls;
    try {
      calls = new RedisCalls(client.connect(), config.commandTimeout(), TimeSource.SYSTEM);
    } catch (RedisException e) {
      throw new StoreException(
          "Failed connecting to the inbox's Redis: " + RedisClaims.reason(e), e);
    }
    try {
      check(calls);
    } catch (RuntimeException e) {
      calls.close();
      throw e;
    }
    String owner = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    RedisClaims claims = new RedisClaims(calls, config, TimeSource.SYSTEM, owner);
    LeaseRenewal renewal = new LeaseRenewal(calls, config);
    renewal.start();
    return new RedisInbox(calls, claims, renewal);
  }

  private static void check(RedisCalls calls) {
    try {
      RedisDeployment deployment = RedisDeployment.parse(calls.information());
      deployment.require();
      LOG.info("The inbox is open: {}", deployment);
    } catch (RedisCommandExecutionException e) {
      LOG.warn("Redis may not be asked whether it keeps what the inbox notes: {}", e.getMessage());
    } catch (RedisException e) {
      throw new StoreException("Failed looking at the inbox's Redis: " + RedisClaims.reason(e), e);
    }
  }

  /**
   * Processes a message as the interface says, except that the effects of failed work stay.
   *
   * @throws LostClaimException if the claim was over before the work was
   */
  @Override
  public <X extends Exception> boolean process(InboxKey key, InboxWork<RedisClaim, X> work)
      throws X {
    return !this.<X>processAll(List.of(key), (claim, fresh) -> work.in(claim)).isEmpty();
  }

  /**
   * Processes messages as the interface says, except that the effects of failed work stay.
   *
   * @param keys at most {@link #KEYS_MAX}
   * @throws LostClaimException if the claim was over before the work was
   * @throws IllegalArgumentException if there are too many keys
   */
  @Override
  public <X extends Exception> Set<InboxKey> processAll(
      Collection<InboxKey> keys, InboxBatchWork<RedisClaim, X> work) throws X {
    List<InboxKey> sorted = List.copyOf(new TreeSet<>(keys));
    if (sorted.size() > KEYS_MAX) {
      throw new IllegalArgumentException(
          "keys: " + sorted.size() + " (expected: at most " + KEYS_MAX + " in one batch)");
    }
    RedisClaim claim = claims.claim(sorted);
    if (claim.keys().isEmpty()) {
      return Set.of();
    }
    Set<InboxKey> fresh = Set.copyOf(claim.keys());
    renewal.begin(claim);
    try {
      work.in(claim, fresh);
    } catch (Throwable e) {
      renewal.end(claim);
      claims.release(claim, e);
      throw e;
    }
    renewal.end(claim);
    claims.finish(claim);
    return fresh;
  }

  /**
   * Ends the thread and closes the connection; the client stays open. Work that goes on cannot be
   * noted any more. May be called twice.
   */
  @Override
  public void close() {
    renewal.close();
    calls.close();
  }
}
