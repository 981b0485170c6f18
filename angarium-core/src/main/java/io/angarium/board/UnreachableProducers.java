package io.angarium.board;

import static java.util.Comparator.comparing;

import io.angarium.TimeSource;
import io.angarium.half.HalfListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which producers of half messages this node cannot ask now. A listener of its
 * check-backs. Thread-safe.
 */
public final class UnreachableProducers implements HalfListener {
  private final Map<String, UnreachableProducer> now = new ConcurrentHashMap<>();
  private final TimeSource time;

  /** Begins with none. */
  public UnreachableProducers(TimeSource time) {
    this.time = time;
  }

  @Override
  public void endpointUnreachable(String endpoint, Duration since, String reason) {
    now.put(endpoint, new UnreachableProducer(endpoint, time.instant().minus(since), reason));
  }

  @Override
  public void endpointReachable(String endpoint) {
    now.remove(endpoint);
  }

  @Override
  public void endpointForgotten(String endpoint) {
    now.remove(endpoint);
  }

  /** The ones that cannot be asked now for longest, {@link NodeStatus#UNREACHABLE_MAX} at most. */
  public List<UnreachableProducer> list() {
    return now.values().stream()
        .sorted(comparing(UnreachableProducer::since).thenComparing(UnreachableProducer::endpoint))
        .limit(NodeStatus.UNREACHABLE_MAX)
        .toList();
  }
}
