package io.angarium.testkit.memory;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The unique pairs of business type and key of an {@link InMemoryDatabase}. A second use waits
 * until the transaction that used the pair first has ended, as a unique index makes it. Guarded by
 * the database's lock, which is given up while waiting.
 */
final class BusinessKeys {
  private record Pair(String type, String key) {}

  private record Claim(Tx by, boolean committed) {}

  private final Map<Pair, Claim> claims = new HashMap<>();
  private final Object lock;
  private final Duration waitMax;

  BusinessKeys(Object lock, Duration waitMax) {
    this.lock = lock;
    this.waitMax = waitMax;
  }

  /**
   * Claims a pair for a transaction.
   *
   * @return false if the message is to be dropped
   */
  boolean claim(BusinessKey business, Tx tx) {
    if (business.uniqueness() == Uniqueness.NONE) {
      return true;
    }
    Pair pair = new Pair(business.type(), business.key());
    awaitOthers(pair, tx);
    if (claims.putIfAbsent(pair, new Claim(tx, false)) == null) {
      return true;
    }
    if (business.uniqueness() == Uniqueness.IGNORE) {
      return false;
    }
    throw new DuplicateBusinessKeyException(
        "Business type and key ("
            + pair.type()
            + ", "
            + pair.key()
            + ") were used before; the message was not written. Use another key, or IGNORE.");
  }

  void unclaim(BusinessKey business) {
    claims.remove(new Pair(business.type(), business.key()));
  }

  void committed(Tx tx) {
    claims.replaceAll((pair, claim) -> claim.by() == tx ? new Claim(tx, true) : claim);
    lock.notifyAll();
  }

  void rolledBack(Tx tx) {
    claims.values().removeIf(claim -> claim.by() == tx);
    lock.notifyAll();
  }

  private void awaitOthers(Pair pair, Tx tx) {
    long deadline = TimeSource.SYSTEM.nanoTime() + waitMax.toNanos();
    try {
      while (isOpenElsewhere(claims.get(pair), tx)) {
        long millisLeft = (deadline - TimeSource.SYSTEM.nanoTime()) / 1_000_000;
        if (millisLeft <= 0) {
          throw new StoreException(
              "Lock timeout: another open transaction uses business key " + pair.key(), null);
        }
        lock.wait(millisLeft);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while waiting for another transaction", e);
    }
  }

  private static boolean isOpenElsewhere(@Nullable Claim claim, Tx tx) {
    return claim != null && !claim.committed() && claim.by() != tx;
  }
}
