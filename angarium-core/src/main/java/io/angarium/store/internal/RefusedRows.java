package io.angarium.store.internal;

import io.angarium.TimeSource;
import io.angarium.store.WriteRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows that the database refuses for good in one kind of work. Each of them rests for growing
 * pauses, so that the others are written; one ERROR names the first. For Angarium's modules.
 * Thread-safe: writes of several threads run at the same time.
 *
 * @param <K> what tells rows apart
 */
public final class RefusedRows<K> {
  /** More than that are not remembered: they are tried again without a pause. */
  private static final int KEYS_MAX = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(RefusedRows.class);

  private final String what;
  private final String meanwhile;
  private final Duration remembered;
  private final TimeSource time;
  private final Map<K, Refused> rows = new LinkedHashMap<>();
  private volatile boolean empty = true;

  private static final class Refused {
    final RefusalPause pause = new RefusalPause();
    String reason = "";
    long lastNanos;
  }

  /**
   * Creates it without rows.
   *
   * @param what is refused, as in "The database refuses to …"
   * @param meanwhile what becomes of a refused row until it is written; a sentence
   * @param remembered how long a row is remembered that is not tried again, as another node has
   *     written it or it is gone
   */
  public RefusedRows(String what, String meanwhile, Duration remembered, TimeSource time) {
    this.what = what;
    this.meanwhile = meanwhile;
    this.remembered = remembered;
    this.time = time;
  }

  /**
   * Writes all rows that the database takes, those first that were never refused. Those that rest
   * are left out. Blocks.
   *
   * @param key tells rows apart
   * @param write writes all of a list or nothing
   * @return the outcome; if something is untried, the database takes nothing, whatever the row
   * @throws RuntimeException what {@code write} threw, if it is no {@link WriteRefusedException};
   *     rows may be written by then
   */
  public <T> Halving<T> write(Collection<T> batch, Function<T, K> key, Consumer<List<T>> write) {
    return write(batch, key, write, Halving::refused);
  }

  /**
   * Writes a batch like {@link #write(Collection, Function, Consumer)}.
   *
   * @param blamed picks, from the outcome, the refused rows to remember and leave alone for a while
   */
  public <T> Halving<T> write(
      Collection<T> batch,
      Function<T, K> key,
      Consumer<List<T>> write,
      Function<Halving<T>, Collection<T>> blamed) {
    Halving<T> outcome = Halving.ofAll(write);
    List<T> fresh = new ArrayList<>();
    List<T> known = new ArrayList<>();
    for (T row : batch) {
      if (!rests(key.apply(row))) {
        (has(key.apply(row)) ? known : fresh).add(row);
      }
    }
    try {
      for (List<T> some : List.of(fresh, known)) {
        if (!some.isEmpty()) {
          outcome.run(some);
        }
      }
    } finally {
      wrote(outcome.written().stream().map(key).toList());
      refuse(outcome, key, Set.copyOf(blamed.apply(outcome)));
    }
    return outcome;
  }

  /** True if a row was refused and its pause is not over. */
  public boolean rests(K key) {
    if (empty) {
      return false;
    }
    synchronized (this) {
      Refused row = rows.get(key);
      return row != null && row.pause.nanosLeft(time.nanoTime()) > 0;
    }
  }

  /** True if a row was refused and is not written yet. */
  public boolean has(K key) {
    if (empty) {
      return false;
    }
    synchronized (this) {
      return rows.containsKey(key);
    }
  }

  /** Rows that were refused and whose pause is over, those refused longest ago first. */
  public synchronized List<K> due(int max) {
    long now = time.nanoTime();
    return rows.entrySet().stream()
        .filter(row -> row.getValue().pause.nanosLeft(now) <= 0)
        .limit(max)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** How many rows are refused. */
  public synchronized int size() {
    return rows.size();
  }

  /** Forgets all rows except these. The others are gone; another node has written them. */
  public synchronized void keep(Set<K> some) {
    wrote(rows.keySet().stream().filter(key -> !some.contains(key)).toList());
  }

  /** Rows were written, whether they were refused before or not. */
  public void wrote(Collection<K> keys) {
    if (empty) {
      return;
    }
    synchronized (this) {
      if (rows.keySet().removeAll(keys) && rows.isEmpty()) {
        LOG.info("The database no longer refuses to {}", what);
      }
      empty = rows.isEmpty();
    }
  }

  private <T> void refuse(Halving<T> outcome, Function<T, K> key, Set<T> blamed) {
    if (blamed.isEmpty()) {
      return;
    }
    synchronized (this) {
      long now = time.nanoTime();
      forgetOld(now);
      boolean first = rows.isEmpty();
      for (int i = 0; i < outcome.refused().size(); i++) {
        T row = outcome.refused().get(i);
        if (blamed.contains(row)) {
          rest(key.apply(row), String.valueOf(outcome.causes().get(i).getMessage()), now);
        }
      }
      empty = false;
      if (first) {
        LOG.error(
            "The database refuses to {} {}. {} Mend what the error names, a privilege, a"
                + " constraint, a trigger or an encoding; it is tried again and again.",
            what,
            oldest(),
            meanwhile);
      }
    }
  }

  private void rest(K key, String reason, long now) {
    Refused known = rows.remove(key);
    Refused row = known == null ? new Refused() : known;
    row.pause.rest(now);
    row.reason = reason;
    row.lastNanos = now;
    if (rows.size() < KEYS_MAX) {
      rows.put(key, row);
    }
  }

  /** With the reason. */
  private String oldest() {
    Map.Entry<K, Refused> row = rows.entrySet().iterator().next();
    return row.getKey() + ": " + row.getValue().reason;
  }

  /**
   * Forgets rows whose last refusal is too long ago; the rows refused longest ago come first in the
   * map.
   */
  private void forgetOld(long now) {
    Iterator<Refused> oldest = rows.values().iterator();
    while (oldest.hasNext() && now - oldest.next().lastNanos >= remembered.toNanos()) {
      oldest.remove();
    }
  }

  /** What is refused and why, for a health check; empty if nothing is. */
  public synchronized Optional<String> fault() {
    forgetOld(time.nanoTime());
    empty = rows.isEmpty();
    return empty
        ? Optional.empty()
        : Optional.of(
            "the database refuses to %s, %d row(s), one of them %s"
                .formatted(what, rows.size(), oldest()));
  }
}
