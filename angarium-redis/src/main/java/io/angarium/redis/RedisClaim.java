package io.angarium.redis;

import io.angarium.TimeSource;
import io.angarium.inbox.InboxKey;
import java.time.Duration;
import java.util.List;

/**
 * The right to process one or several messages, for as long as the lease lasts. Work that writes
 * somewhere else hands {@link #token()} along, so that a writer whose lease is over can be refused:
 * the other side keeps the greatest token that it has seen and refuses smaller ones. Thread-safe.
 */
public final class RedisClaim {
  private final long token;
  private final String id;
  private final List<InboxKey> keys;
  private final TimeSource time;
  private final long begunNanos;
  private volatile long endNanos;

  /**
   * @param begunNanos when the claim was asked for: Redis counts from a later moment
   */
  RedisClaim(
      long token,
      String id,
      List<InboxKey> keys,
      TimeSource time,
      long begunNanos,
      Duration lease) {
    this.token = token;
    this.id = id;
    this.keys = List.copyOf(keys);
    this.time = time;
    this.begunNanos = begunNanos;
    this.endNanos = begunNanos + lease.toNanos();
  }

  /**
   * The fencing token: greater than that of every claim before, on any message, as long as Redis
   * keeps its data or its clock goes forward.
   */
  public long token() {
    return token;
  }

  /**
   * How much longer nobody else processes the messages, at least: what this JVM's clock says and
   * Redis has confirmed. Zero once that is over. Grows again while the lease is renewed.
   */
  public Duration leaseLeft() {
    return Duration.ofNanos(Math.max(0, endNanos - time.nanoTime()));
  }

  List<InboxKey> keys() {
    return keys;
  }

  /** What stands in Redis while the work runs. */
  String processing() {
    return "P " + token + " " + id;
  }

  /** What stands in Redis when the work has been done. */
  String done() {
    return "D " + token + " " + id;
  }

  Duration age() {
    return Duration.ofNanos(time.nanoTime() - begunNanos);
  }

  /** Redis has confirmed what was asked for at that moment. */
  void renewed(long askedNanos, Duration lease) {
    endNanos = askedNanos + lease.toNanos();
  }

  /** Redis has said that it knows of the claim no more. */
  void lost() {
    endNanos = time.nanoTime();
  }

  /** Keys and token. */
  @Override
  public String toString() {
    return "RedisClaim[" + keys + ", token " + token + "]";
  }
}
