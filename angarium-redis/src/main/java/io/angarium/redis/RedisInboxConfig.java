package io.angarium.redis;

import io.angarium.ConfigFaults;
import io.angarium.inbox.WhenBusy;
import io.angarium.internal.DurationText;
import java.time.Duration;

/**
 * How an inbox uses Redis. Immutable.
 *
 * @param prefix what every key begins with, 1..40 letters, digits, dots, dashes and underscores;
 *     applications that share an inbox have the same; default {@code angarium-inbox}
 * @param lease how long a message stays claimed by a consumer that has died, 100 ms..1 h, at least
 *     three times {@code commandTimeout}; default 30 s
 * @param renewMax for how long, from the claim on, the lease of work that goes on is renewed, 0..1
 *     d; 0 for never; default 10 min. Work that takes longer is run again elsewhere
 * @param retention how long a processed message is remembered, 1 min..10 years; must be longer than
 *     {@code replayWindow}; default 14 days
 * @param replayWindow the oldest message that can still be delivered again, e.g. how long the
 *     broker keeps messages; default 7 days, Kafka's own default
 * @param whenBusy what happens while another delivery of a message is being processed; default wait
 * @param waitMax the longest wait for another delivery, 0..1 h; default 5 s. After it {@link
 *     io.angarium.inbox.ConcurrentDeliveryException}
 * @param commandTimeout how long Redis may take for an answer, 1 ms..1 min; default 3 s
 */
public record RedisInboxConfig(
    String prefix,
    Duration lease,
    Duration renewMax,
    Duration retention,
    Duration replayWindow,
    WhenBusy whenBusy,
    Duration waitMax,
    Duration commandTimeout) {
  private static final Duration LEASE_MIN = Duration.ofMillis(100);
  private static final Duration LEASE_MAX = Duration.ofHours(1);
  private static final Duration RENEW_LIMIT = Duration.ofDays(1);
  private static final Duration RETENTION_MIN = Duration.ofMinutes(1);
  private static final Duration RETENTION_MAX = Duration.ofDays(3650);
  private static final Duration WAIT_LIMIT = Duration.ofHours(1);
  private static final Duration COMMAND_MIN = Duration.ofMillis(1);
  private static final Duration COMMAND_MAX = Duration.ofMinutes(1);
  private static final int TIMEOUTS_PER_LEASE = 3;

  /** Keys {@code angarium-inbox:…}; a lease of 30 s that is renewed; 14 days. */
  public static final RedisInboxConfig DEFAULTS =
      new RedisInboxConfig(
          "angarium-inbox",
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofDays(14),
          Duration.ofDays(7),
          WhenBusy.WAIT,
          Duration.ofSeconds(5),
          Duration.ofSeconds(3));

  /** Checks the parts. */
  public RedisInboxConfig {
    new ConfigFaults()
        .require(
            prefix.matches("[A-Za-z0-9._-]{1,40}"),
            "inbox.redis.prefix",
            prefix,
            "1..40 letters, digits, dots, dashes and underscores")
        .range("inbox.redis.lease", lease, LEASE_MIN, LEASE_MAX)
        .range("inbox.redis.renew-max", renewMax, Duration.ZERO, RENEW_LIMIT)
        .range("inbox.redis.retention", retention, RETENTION_MIN, RETENTION_MAX)
        .range("inbox.redis.replay-window", replayWindow, Duration.ZERO, RETENTION_MAX)
        .range("inbox.redis.wait-max", waitMax, Duration.ZERO, WAIT_LIMIT)
        .range("inbox.redis.command-timeout", commandTimeout, COMMAND_MIN, COMMAND_MAX)
        .require(
            retention.compareTo(replayWindow) > 0,
            "inbox.redis.retention",
            retention,
            "longer than inbox.redis.replay-window, "
                + DurationText.of(replayWindow)
                + ": a message that comes again later than it is remembered is processed twice")
        .require(
            lease.dividedBy(TIMEOUTS_PER_LEASE).compareTo(commandTimeout) >= 0,
            "inbox.redis.lease",
            lease,
            "at least three times inbox.redis.command-timeout, "
                + DurationText.of(commandTimeout)
                + ": a renewal that gets no answer must not be the end of the lease")
        .throwIfAny();
  }

  /** A copy with another beginning of the keys. */
  public RedisInboxConfig prefix(String prefix) {
    return new RedisInboxConfig(
        prefix, lease, renewMax, retention, replayWindow, whenBusy, waitMax, commandTimeout);
  }

  /**
   * A copy with another lease.
   *
   * @param renewMax 0 for a lease that is not renewed
   */
  public RedisInboxConfig lease(Duration lease, Duration renewMax) {
    return new RedisInboxConfig(
        prefix, lease, renewMax, retention, replayWindow, whenBusy, waitMax, commandTimeout);
  }

  /**
   * A copy that remembers for another time.
   *
   * @param replayWindow shorter than {@code retention}
   */
  public RedisInboxConfig retention(Duration retention, Duration replayWindow) {
    return new RedisInboxConfig(
        prefix, lease, renewMax, retention, replayWindow, whenBusy, waitMax, commandTimeout);
  }

  /** A copy that does something else while another delivery is being processed. */
  public RedisInboxConfig whenBusy(WhenBusy whenBusy, Duration waitMax) {
    return new RedisInboxConfig(
        prefix, lease, renewMax, retention, replayWindow, whenBusy, waitMax, commandTimeout);
  }

  /** A copy that waits for another time for answers. */
  public RedisInboxConfig commandTimeout(Duration commandTimeout) {
    return new RedisInboxConfig(
        prefix, lease, renewMax, retention, replayWindow, whenBusy, waitMax, commandTimeout);
  }
}
