package io.angarium.half.internal.remote;

import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.internal.remote.HalfReply.Answers;
import io.angarium.half.internal.remote.HalfReply.Failure;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Asks a server for the states of any number of keys, so many in a request and so many requests at
 * a time. Thread-safe.
 */
public final class StateQueries {
  /** What one request does. Blocks until it has a reply; throws nothing. */
  @FunctionalInterface
  public interface Request extends Function<List<HalfKey>, HalfReply<HalfState>> {}

  private final Request request;
  private final int keysMax;
  private final Semaphore free;

  /**
   * How to ask.
   *
   * @param limits of calls, which hold for keys, too
   */
  public StateQueries(Request request, GroupCommit.Limits limits) {
    this.request = request;
    this.keysMax = limits.calls();
    this.free = new Semaphore(limits.requests());
  }

  /**
   * A state for each key. Blocks.
   *
   * @throws io.angarium.OutboxException if a request failed or was refused
   */
  public Map<HalfKey, HalfState> ask(Collection<HalfKey> keys) {
    List<HalfKey> asked = List.copyOf(new HashSet<>(keys));
    Map<HalfKey, HalfState> states = new HashMap<>();
    for (int start = 0; start < asked.size(); start += keysMax) {
      List<HalfKey> some = asked.subList(start, Math.min(start + keysMax, asked.size()));
      List<HalfState> answered = askOnce(some);
      for (int i = 0; i < some.size(); i++) {
        states.put(some.get(i), answered.get(i));
      }
    }
    return states;
  }

  private List<HalfState> askOnce(List<HalfKey> keys) {
    free.acquireUninterruptibly();
    try {
      HalfReply<HalfState> reply = request.apply(keys);
      if (reply instanceof Answers<HalfState> answers) {
        return answers.all();
      }
      if (reply instanceof Failure<HalfState> failure) {
        throw failure.exception();
      }
      throw new StoreException("no reply", null); // there is no third kind
    } finally {
      free.release();
    }
  }
}
