package io.angarium.server.access;

import io.angarium.TimeSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rate of each of many callers, by the name in a token or by an address, of so many that came
 * last: who comes after them begins anew. Thread-safe.
 */
public final class CallerRates {
  /** Some 2 MB. */
  public static final int CALLERS_MAX = 10_000;

  private final TimeSource time;
  private final int callersMax;
  private final RateLimit unlimited;

  /** The one that was used last comes last. */
  private final Map<Key, RateLimit> limits = new LinkedHashMap<>(16, 0.75f, true);

  private record Key(String caller, int perSecond) {}

  public CallerRates(int callersMax, TimeSource time) {
    this.callersMax = callersMax;
    this.time = time;
    this.unlimited = new RateLimit(null, time);
  }

  /**
   * That of a caller, the same whenever it comes again.
   *
   * @param perSecond null for no limit
   */
  public RateLimit of(String caller, @Nullable Integer perSecond) {
    return perSecond == null ? unlimited : limited(new Key(caller, perSecond));
  }

  private synchronized RateLimit limited(Key key) {
    RateLimit limit = limits.computeIfAbsent(key, each -> new RateLimit(each.perSecond(), time));
    if (limits.size() > callersMax) {
      Iterator<Key> oldest = limits.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return limit;
  }

  /** How many are known. */
  public synchronized int size() {
    return limits.size();
  }
}
