package io.angarium.simulation;

import io.angarium.Handover;
import io.angarium.Partitioning;
import io.angarium.relay.CircuitTiming;
import io.angarium.relay.DestinationPolicy;
import io.angarium.relay.Relay;
import io.angarium.relay.RelayConfig;
import io.angarium.relay.RelayListener;
import io.angarium.store.Invariant;
import io.angarium.store.NodeIdInUseException;
import io.angarium.store.OutboxStore;
import io.angarium.store.Position;
import io.angarium.store.StoreException;
import io.angarium.store.StoredMessage;
import io.angarium.store.Written;
import io.angarium.testkit.FakeTransport;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One process with a relay, which comes and goes. */
final class SimulatedNode implements Hooks {
  static final int WINDOW = 16;
  static final int ATTEMPTS_MAX = 3;
  static final Duration RESULT_MAX = Duration.ofMillis(500);

  private static final RelayConfig.Leasing LEASING =
      new RelayConfig.Leasing(
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          Duration.ofMillis(500),
          Duration.ofSeconds(5),
          Duration.ofSeconds(2));

  /** Without the safety net: the sweep would hide what the reads overlook. */
  private static final RelayConfig.Polling POLLING =
      new RelayConfig.Polling(
          Duration.ofMillis(5),
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofMillis(1_500),
          Duration.ofDays(1));

  /** The writes that a late owner must not make. */
  private static final List<String> FENCED = List.of("park", "bury", "settle parked");

  private final String name;
  private final Simulation world;
  private final NodeClock time;
  private FakeTransport transport = FakeTransport.pipelined();
  private @Nullable Relay relay;
  private boolean acting;
  private boolean frozen;
  private int starts;
  private long beatNanos;

  SimulatedNode(String name, Simulation world, NodeClock time) {
    this.name = name;
    this.world = world;
    this.time = time;
  }

  /** Its machine stood still without its clock noticing. */
  void missed(long nanos) {
    time.missed(nanos);
    beatNanos -= nanos; // late all the same
  }

  boolean isUp() {
    return relay != null;
  }

  boolean isActing() {
    return acting;
  }

  /** How transactions of this process hand over; not while its whole machine stands still. */
  Handover handover() {
    Relay running = relay;
    if (running == null) {
      return Handover.NONE;
    }
    return new Handover() {
      @Override
      public void committed(Written written, Duration sinceWritten) {
        if (!frozen) {
          running.committed(written, sinceWritten);
        }
      }

      @Override
      public int keylessPartition(Partitioning partitioning, long random) {
        return running.keylessPartition(partitioning, random);
      }
    };
  }

  void frozen(boolean stands) {
    frozen = stands;
  }

  void start() {
    starts++;
    beatNanos = time.nanoTime();
    transport =
        FakeTransport.to(world.broker, "fake", world.keyOrder()).resultMax(RESULT_MAX).manual();
    RelayConfig config =
        new RelayConfig(
            name,
            world.database.partitioning(),
            LEASING,
            POLLING,
            new RelayConfig.Window(WINDOW, world.narrow ? 1_024 : 1 << 20, 8, 4, Duration.ZERO),
            Duration.ZERO);
    DestinationPolicy policy =
        new DestinationPolicy(
            failures ->
                failures < ATTEMPTS_MAX
                    ? Optional.of(Duration.ofMillis(60L * failures))
                    : Optional.empty(),
            world.onDead(),
            new CircuitTiming(Duration.ofMillis(50), Duration.ofMillis(400)));
    relay =
        Relay.builder(
                new HookedOutboxStore(watchedStore(), this),
                new HookedLeaseStore(world.database.leaseStore(), this))
            .transport(new WatchedTransport(transport, world))
            .config(config)
            .policies(destination -> policy)
            .time(time)
            .listener(
                new RelayListener() {
                  @Override
                  public void invariantBroken(Invariant which, String detail) {
                    world.broken(which, detail);
                  }
                })
            .incarnation(new UUID(name.hashCode(), starts))
            .build();
  }

  private OutboxStore watchedStore() {
    OutboxStore sound = world.database.outboxStore();
    return new FenceWatch(world.mutant.plant(sound, world.database), sound, world.ledger);
  }

  /** Acts as a process does between two looks at its clock; it may crash in it. */
  void act(Consumer<Relay> action) {
    Relay running = relay;
    if (running == null || acting) {
      return;
    }
    acting = true;
    try {
      action.accept(running);
    } catch (SimulatedCrash crash) {
      relay = null;
      world.crashed();
    } catch (NodeIdInUseException e) {
      world.note(name + " waits for its name");
    } catch (StoreException e) {
      world.note(name + " could not reach its database");
    } finally {
      acting = false;
    }
  }

  /** Ends the process in good order; what is in flight in the end is sent again by others. */
  void stop() {
    act(
        running -> {
          running.close(); // with time left it goes on with the next messages of chained keys
          world.ledger.allowDuplicates(transport.inFlight().size());
          relay = null;
        });
  }

  void crash() {
    if (!acting && relay != null) {
      relay = null;
      world.crashed();
    }
  }

  /** Others may have sent what was acknowledged to a node that was too slow for its lease. */
  private void beats() {
    long now = time.nanoTime();
    if (now - beatNanos > LEASING.ttl().toNanos()) {
      world.lateForItsLease(name);
    }
    beatNanos = now;
  }

  @Override
  public Runnable deleting(Collection<Position> positions) {
    Set<Position> places = Set.copyOf(positions);
    List<StoredMessage> there =
        world.database.unsent().stream().filter(m -> places.contains(m.position())).toList();
    return () -> {
      List<StoredMessage> left = world.database.unsent();
      world.deleted(there.stream().filter(row -> !left.contains(row)).toList());
    };
  }

  @Override
  public <T> T around(String call, Supplier<T> work) {
    world.requireItsThread(call);
    world.note(name + " " + call);
    if (call.startsWith("held") && !world.isWide()) {
      return work.get(); // a choice more would change what all seeds of old do
    }
    if (call.equals("heartbeat")) {
      beats();
    }
    world.beforeCall(this, name, FENCED.stream().anyMatch(call::startsWith));
    T answer = work.get();
    world.afterCall(this, name);
    return answer;
  }
}
