package io.angarium.relay.internal.pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.pause.PauseStore;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.lease.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PauseWatchTest {
  private static final Destination ORDERS = Destination.parse("kafka:orders");
  private static final Destination MAIL = Destination.parse("kafka:mail");
  private static final NodeId NODE = new NodeId("a", new UUID(0, 1));

  private final Store store = new Store();
  private final Time time = new Time();
  private final List<String> failures = new ArrayList<>();
  private final PauseWatch watch =
      new PauseWatch(
          store,
          NODE,
          time,
          new RelayListener() {
            @Override
            public void storeFailed(String task, RuntimeException cause) {
              failures.add(task);
            }
          });

  private static final class Store implements PauseStore {
    private long version = 1;
    private List<Remaining> pauses = List.of();
    private boolean away;
    private final List<Long> applied = new ArrayList<>();

    void pause(String destinations, Duration length) {
      version++;
      pauses = List.of(new Remaining(destinations, length));
    }

    @Override
    public Optional<InForce> changedSince(long known) {
      if (away) {
        throw new StoreException("away", null);
      }
      return known == version ? Optional.empty() : Optional.of(new InForce(version, pauses));
    }

    @Override
    public void applied(NodeId node, long upTo) {
      assertThat(node).isEqualTo(NODE);
      applied.add(upTo);
    }
  }

  private static final class Time implements TimeSource {
    private long nanos;

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }
  }

  @Test
  void everythingIsPausedUntilTheDatabaseHasAnswered() {
    store.away = true;

    assertThatThrownBy(watch::look).isInstanceOf(StoreException.class);
    assertThat(watch.wanted().contains(ORDERS)).isTrue();

    store.away = false;
    watch.look();
    assertThat(watch.wanted().contains(ORDERS)).isFalse();
  }

  @Test
  void nothingIsPausedWithoutAStore() {
    PauseWatch none = new PauseWatch(null, NODE, time, RelayListener.NONE);

    none.look();

    assertThat(none.wanted().contains(ORDERS)).isFalse();
  }

  @Test
  void pauseIsKnownWithTheNextLook() {
    watch.look();
    store.pause("kafka:ord*", Duration.ofHours(1));

    watch.look();

    assertThat(watch.wanted().contains(ORDERS)).isTrue();
    assertThat(watch.wanted().contains(MAIL)).isFalse();
  }

  @Test
  void pauseEndsByItselfWhileTheDatabaseIsAway() {
    store.pause("*", Duration.ofMinutes(1));
    watch.look();
    store.away = true;

    time.nanos += Duration.ofMinutes(1).toNanos() - 1;
    watch.look();
    assertThat(watch.wanted().contains(ORDERS)).isTrue();
    time.nanos += 1;
    watch.look();

    assertThat(watch.wanted().contains(ORDERS)).isFalse();
    assertThat(failures).containsExactly("pauses", "pauses");
  }

  @Test
  void nothingIsToldAppliedBeforeTheSendLoopHasApplied() {
    store.pause("*", Duration.ofMinutes(1));

    watch.look();
    watch.look();

    assertThat(store.applied).isEmpty();
  }
}
