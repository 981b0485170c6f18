package io.angarium.testkit.memory;

import io.angarium.StoreException;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.half.local.OutcomeUnknownException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Local transactions in memory, for tests: what a transaction adds to its list is {@link #written}
 * once it has committed. Thread-safe.
 */
public final class InMemoryLocalTransactions implements LocalTransactions<List<String>> {
  private final Map<Marker, Verdict> markers = new HashMap<>();
  private final List<String> written = new ArrayList<>();
  private boolean unreachable;
  private boolean losingCommitAnswers;

  /** Creates an empty database. */
  public InMemoryLocalTransactions() {}

  @Override
  public <T extends @Nullable Object, X extends Exception> T run(
      Marker marker, LocalWork<List<String>, T, X> work) throws X {
    begin(marker);
    List<String> writes = new ArrayList<>();
    boolean done = false;
    try {
      T result = work.in(writes);
      done = true;
      return result;
    } finally {
      end(marker, done, writes);
    }
  }

  private synchronized void begin(Marker marker) {
    if (unreachable) {
      throw new StoreException("The database in memory is away", null);
    }
    Verdict found = markers.putIfAbsent(marker, Verdict.IN_FLIGHT);
    if (found != null) {
      throw new MarkerTakenException(marker, found);
    }
  }

  private synchronized void end(Marker marker, boolean done, List<String> writes) {
    if (!done) {
      markers.remove(marker);
      return;
    }
    markers.put(marker, Verdict.COMMITTED);
    written.addAll(writes);
    if (losingCommitAnswers) {
      throw new OutcomeUnknownException(marker, new StoreException("The answer was lost", null));
    }
  }

  @Override
  public synchronized Verdict check(Marker marker) {
    if (unreachable) {
      return Verdict.UNREACHABLE;
    }
    return markers.computeIfAbsent(marker, m -> Verdict.ROLLED_BACK);
  }

  /** What committed transactions wrote, in the order of their commits. */
  public synchronized List<String> written() {
    return List.copyOf(written);
  }

  /** Takes the database away, or brings it back; what is open is not hindered. */
  public synchronized void unreachable(boolean away) {
    unreachable = away;
  }

  /** From now on commits take effect, or do so no longer, without anybody being told. */
  public synchronized void losingCommitAnswers(boolean losing) {
    losingCommitAnswers = losing;
  }
}
