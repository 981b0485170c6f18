package io.angarium.relay.internal.partition;

import io.angarium.relay.internal.flight.TransportQuota;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notices when every attempt of this node keeps failing, so that it can give its share to others.
 * Of several transports one that fails is the outage of its broker, as long as another works: the
 * messages of that one must not wait for it. Not thread-safe: one thread at a time.
 */
public final class NodeHealth {
  /** So many times the time until a rest, an acknowledgement tells that a transport works. */
  private static final int TRUST = 10;

  private final long restAfterNanos;
  private final Map<TransportQuota, Attempts> shared = new HashMap<>();
  private final Attempts unshared = new Attempts();
  private final List<Attempts> all = new ArrayList<>(List.of(unshared));

  /** What became of the attempts of one transport. */
  private static final class Attempts {
    boolean acknowledged;
    long acknowledgedNanos;
    boolean failing;
    long failingSinceNanos;
    long lastFailureNanos;
  }

  public NodeHealth(Duration restAfter) {
    this.restAfterNanos = restAfter.toNanos();
  }

  /**
   * An attempt succeeded.
   *
   * @param share of the transport; null if there is only one
   */
  public void acknowledged(@Nullable TransportQuota share, long nowNanos) {
    Attempts attempts = of(share);
    attempts.failing = false;
    attempts.acknowledged = true;
    attempts.acknowledgedNanos = nowNanos;
  }

  /**
   * An attempt failed.
   *
   * @param share of the transport; null if there is only one
   */
  public void failed(@Nullable TransportQuota share, long nowNanos) {
    Attempts attempts = of(share);
    if (!attempts.failing) {
      attempts.failing = true;
      attempts.failingSinceNanos = nowNanos;
    }
    attempts.lastFailureNanos = nowNanos;
  }

  private Attempts of(@Nullable TransportQuota share) {
    return share == null ? unshared : shared.computeIfAbsent(share, s -> begun());
  }

  private Attempts begun() {
    Attempts attempts = new Attempts();
    all.add(attempts);
    return attempts;
  }

  /** The node was given a rest: counts anew. */
  public void rested() {
    all.forEach(attempts -> attempts.failing = false);
  }

  /** True if attempts went on failing for the whole time, and no other transport works. */
  public boolean needsRest(long nowNanos) {
    boolean failing = false;
    for (Attempts attempts : all) {
      if (works(attempts, nowNanos)) {
        return false;
      }
      failing |= keepsFailing(attempts);
    }
    return failing;
  }

  /** One old failure is no reason. */
  private boolean keepsFailing(Attempts attempts) {
    return attempts.failing
        && attempts.lastFailureNanos - attempts.failingSinceNanos >= restAfterNanos;
  }

  /** One that has had nothing to send since it worked is trusted for longer, but not for ever. */
  private boolean works(Attempts attempts, long nowNanos) {
    long trustedNanos = attempts.failing ? restAfterNanos : TRUST * restAfterNanos;
    return attempts.acknowledged && nowNanos - attempts.acknowledgedNanos < trustedNanos;
  }
}
