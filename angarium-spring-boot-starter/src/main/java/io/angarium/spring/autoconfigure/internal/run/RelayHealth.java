package io.angarium.spring.autoconfigure.internal.run;

import io.angarium.StoreException;
import io.angarium.background.BackgroundWork;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitState;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.store.Backlog;
import io.angarium.store.OutboxStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Whether messages get away: down if the relay does not run, has lost its lease, cannot reach the
 * database or is refused what it writes there, and if other work of the background is not done. A
 * broker that is down leaves it up, since messages are accepted and wait; the open circuit is
 * shown. Asking costs one look at the backlog. Thread-safe.
 */
public final class RelayHealth {
  private final RelayLifecycle lifecycle;
  private final OutboxStore store;
  private final ObjectProvider<BackgroundWork> work;

  /** What was found. Immutable. */
  public record Report(boolean up, Map<String, Object> details) {}

  public RelayHealth(
      RelayLifecycle lifecycle, OutboxStore store, ObjectProvider<BackgroundWork> work) {
    this.lifecycle = lifecycle;
    this.store = store;
    this.work = work;
  }

  public Report report() {
    Map<String, Object> details = new LinkedHashMap<>();
    boolean healthy = lifecycle.relay().map(relay -> describe(relay, details)).orElse(false);
    if (!healthy) {
      details.put(
          "relay",
          lifecycle.isRunning()
              ? "stalled, without a valid lease, or the database refuses its writes; see the log"
              : "not running");
    }
    List<String> faults =
        work.stream().map(BackgroundWork::fault).flatMap(Optional::stream).sorted().toList();
    if (!faults.isEmpty()) {
      details.put("background", faults);
    }
    return new Report(addBacklog(details) && healthy && faults.isEmpty(), details);
  }

  private static boolean describe(Relay relay, Map<String, Object> details) {
    details.put("partitions", relay.partitions());
    Map<String, CircuitState> circuits =
        relay.circuits().entrySet().stream()
            .collect(Collectors.toMap(entry -> entry.getKey().toString(), Map.Entry::getValue));
    if (!circuits.isEmpty()) {
      details.put("circuits", circuits);
    }
    return relay.healthy();
  }

  private boolean addBacklog(Map<String, Object> details) {
    try {
      Backlog backlog = store.backlog();
      details.put("unsent", backlog.depth());
      details.put("parked", backlog.parked());
      details.put("dead", backlog.dead());
      details.put("oldestAge", backlog.oldestAge().toString());
      return true;
    } catch (StoreException e) {
      details.put("store", String.valueOf(e.getMessage()));
      return false;
    }
  }
}
