package io.angarium.simulation;

import io.angarium.StoreException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayListener;
import io.angarium.store.Invariant;
import io.angarium.store.OutboxStore;
import io.angarium.store.lease.NodeId;
import io.angarium.store.lease.NodeIdInUseException;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.InMemoryDatabase;
import java.time.Duration;
import java.util.ArrayList;
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

  static final Duration TTL = Duration.ofSeconds(3);

  private static final RelayConfig.Leasing LEASING =
      new RelayConfig.Leasing(
          TTL,
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
  private final List<FakeTransport> transports = new ArrayList<>();
  private @Nullable Relay relay;
  private boolean acting;
  private boolean frozen;
  private ReadsElsewhere reads;
  private int starts;
  private long beatNanos;

  SimulatedNode(String name, Simulation world, NodeClock time) {
    this.name = name;
    this.world = world;
    this.time = time;
    this.reads = new ReadsElsewhere(world.database.outboxStore());
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
      public void committed(CommittedMessages written, Duration sinceWritten) {
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
    reads = new ReadsElsewhere(watchedStore());
    transports.clear();
    transports.add(transport("fake"));
    if (hasTheOther()) {
      transports.add(transport("other"));
    }
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
    Relay.Builder builder =
        Relay.builder(
            new HookedOutboxStore(reads, this),
            new HookedLeaseStore(world.mutant.plant(world.database.leaseStore()), this));
    NodeId node = new NodeId(name, new UUID(name.hashCode(), starts));
    transports.forEach(
        transport -> builder.transport(new WatchedTransport(transport, node, world)));
    Operators operators = world.operators();
    if (operators != null) {
      builder.pauses(world.mutant.plant(operators.pauses(this)));
    }
    relay =
        builder
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
            .incarnation(node.incarnation())
            .build();
  }

  private FakeTransport transport(String transport) {
    return FakeTransport.to(world.broker, transport, world.keyOrder())
        .resultMax(RESULT_MAX)
        .resultsOn(world::answering)
        .manual();
  }

  /** One node never has it, one always, and the others sometimes. */
  private boolean hasTheOther() {
    if (!world.transportsDiffer() || name.equals("a")) {
      return false;
    }
    return name.equals("b") || world.nextBoolean();
  }

  private OutboxStore watchedStore() {
    OutboxStore sound = world.database.outboxStore();
    return new FenceWatch(world.mutant.plant(sound, world.database, time), sound, world.ledger);
  }

  /**
   * Its reads reach that server from now on, until a write finds out.
   *
   * @param era of the writes that went there; who works in another one asks for it anew
   */
  void staysOn(InMemoryDatabase server, int era) {
    if (relay != null && !reads.areElsewhere() && reads.adopted() == era) {
      world.note(name + " reads elsewhere");
      reads.from(server.outboxStore());
    }
  }

  /** Reads go where writes go, as soon as a write has met another server than the reads. */
  private void findOut(String call) {
    if (reads.areElsewhere() && !ReadsElsewhere.isRead(call)) {
      reads.from(null);
      world.ledger.allowDuplicates(world.messages());
      throw new StoreException("simulated: the server takes no writes", null);
    }
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
          transports.forEach(t -> world.ledger.allowDuplicates(t.inFlight().size()));
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
    findOut(call);
    T answer = work.get();
    world.afterCall(this, name);
    return answer;
  }
}
