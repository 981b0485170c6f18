package io.angarium.simulation;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.deadletter.DeadLetter;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.DestinationPolicy.OnDead;
import io.angarium.store.Invariant;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import io.angarium.testkit.memory.DatabaseBackup;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.StoreFaults.Fault;
import io.angarium.transport.KeyOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One run of several relays in one thread under a manual clock. All choices come from the seed, so
 * that a run repeats exactly. Every eighth seed is calm: nothing fails, and then nothing may be
 * sent twice.
 */
final class Simulation {
  private static final int STEPS = 250;
  private static final int NESTING_MAX = 2;
  private static final int CALM_ROUNDS_MAX = 1_500;

  /** A partition moves to a node with another transport once a minute at most. */
  private static final int MOVING_ROUNDS_MAX = 6_000;

  private static final int NOTES_MAX = 400;

  /** So that no sequence reaches what was copied. */
  private static final long COPIED_AHEAD = 1_000_000;

  private record Attempt(FakeTransport transport, StoredMessage message, long deadlineNanos) {}

  final InMemoryDatabase database;
  final FakeBroker broker = new FakeBroker();
  final Ledger ledger = new Ledger();
  final Mutant mutant;

  private final Thread thread = Thread.currentThread();
  private final ManualClock clock = ManualClock.create();
  private final Rates rates;
  private final Random random;
  private final boolean calm;

  /** Payloads are large for the window of the relays, so that reads are cut by their bytes. */
  final boolean narrow;

  private final OnDead onDead;
  private final KeyOrder keyOrder;
  private final Producers producers;
  private final @Nullable Operators operators;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<Attempt> inFlight = new ArrayList<>();
  private final List<Runnable> repeats = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private final Set<MessageId> poisoned = new HashSet<>();
  private final Set<MessageId> unwanted = new HashSet<>();
  private final Deque<String> notes = new ArrayDeque<>();
  private String downDestination = "";
  private @Nullable DatabaseBackup replica;
  private boolean databaseDown;
  private Duration jumped = Duration.ZERO;
  private Duration jumpedMax = Duration.ZERO;
  private boolean leasesEmptied;
  private boolean hasFailedOver;
  private int copies;
  private boolean quiet;
  private int nesting;

  Simulation(long seed, Mutant mutant) {
    this(seed, mutant, Rates.USUAL);
  }

  /** With faults that differ from seed to seed, see {@link Rates#drawn}. */
  static Simulation wide(long seed, Mutant mutant) {
    return new Simulation(seed, mutant, Rates.drawn(new Random(~seed * 0x9e3779b97f4a7c15L)));
  }

  /** As {@link #wide} was before it knew more faults. */
  static Simulation wideEarlier(long seed, Mutant mutant) {
    return new Simulation(
        seed, mutant, Rates.drawnEarlier(new Random(~seed * 0x9e3779b97f4a7c15L)));
  }

  Simulation(long seed, Mutant mutant, Rates rates) {
    this(seed, mutant, rates, false);
  }

  /** With persons who pause destinations, resume them, and bury messages. */
  static Simulation pausing(long seed, Mutant mutant) {
    return new Simulation(seed, mutant, Rates.USUAL, true);
  }

  private Simulation(long seed, Mutant mutant, Rates rates, boolean paused) {
    this.rates = rates;
    this.random = new Random(seed * 0x9e3779b97f4a7c15L);
    this.mutant = mutant;
    this.calm = seed % 8 == 0;
    this.narrow = seed % 8 == 1 || seed % 8 == 3;
    this.onDead = random.nextInt(3) == 0 ? OnDead.BLOCK_KEY : OnDead.SKIP;
    this.keyOrder = random.nextInt(3) == 0 ? KeyOrder.CHAINED : KeyOrder.PIPELINED;
    this.database = InMemoryDatabase.create(clock, new Partitioning(3, 2));
    this.producers = new Producers(this, random);
    this.operators = paused ? new Operators(database, ledger, seed) : null;
    for (String name : List.of("a", "b", "c")) {
      Duration skew = Duration.ofSeconds(random.nextInt(20) - 10L);
      int drift = calm ? 0 : nodes.size() % 2 == 0 ? rates.driftPercent() : -rates.driftPercent();
      nodes.add(new SimulatedNode(name, this, new NodeClock(clock, skew, drift)));
    }
  }

  /**
   * Runs it to the end.
   *
   * @return what went wrong; empty if nothing did
   */
  List<String> run() {
    nodes.forEach(SimulatedNode::start);
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    List<String> faults = comeToRest();
    faults.addAll(ledger.faults(broker.stored()));
    return faults;
  }

  /** How many messages persons buried. */
  int burials() {
    return operators == null ? 0 : operators.burials();
  }

  int messages() {
    return ledger.size();
  }

  /** The last things that happened, for the search of a fault. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** Whether the faults differ from seed to seed. */
  boolean isWide() {
    return !rates.equals(Rates.USUAL);
  }

  /** Whether only some nodes have the transport named other. */
  boolean transportsDiffer() {
    return rates.surroundings().transportsDiffer();
  }

  List<String> destinations() {
    return transportsDiffer()
        ? List.of("fake:orders", "fake:mail", "other:bills")
        : List.of("fake:orders", "fake:mail");
  }

  /** The persons who pause; null if there are none. */
  @Nullable Operators operators() {
    return operators;
  }

  boolean nextBoolean() {
    return random.nextBoolean();
  }

  OnDead onDead() {
    return onDead;
  }

  KeyOrder keyOrder() {
    return keyOrder;
  }

  SimulatedNode anyNode() {
    return nodes.get(random.nextInt(nodes.size()));
  }

  void note(String what) {
    notes.add(clock.nanoTime() / 1_000_000 + " ms: " + what);
    if (notes.size() > NOTES_MAX) {
      notes.remove();
    }
  }

  // ---- one step

  private void step() {
    if (operators != null && !quiet) {
      operators.act();
    }
    int choice = random.nextInt(100);
    if (choice < 30) {
      producers.act();
    } else if (choice < 65) {
      actSomewhere();
    } else if (choice < 80) {
      resolveSome();
    } else if (choice < 94 || calm) {
      pass(Duration.ofMillis(1 + random.nextInt(60)));
      if (calm) { // no node is slow
        nodes.forEach(node -> node.act(Relay::runOnce));
      }
    } else if (choice < rates.disturbFrom()) {
      pass(Duration.ofMillis(random.nextInt(1_200)));
    } else {
      disturb();
    }
  }

  private void actSomewhere() {
    SimulatedNode node = anyNode();
    if (!node.isUp() && !node.isActing()) {
      node.start();
      return;
    }
    int part = random.nextInt(6);
    node.act(
        relay -> {
          switch (part) {
            case 0 -> relay.runOnce(Relay.Step.BEAT);
            case 1, 2 -> relay.runOnce(Relay.Step.SEND);
            case 3 -> relay.runOnce(Relay.Step.DELETE);
            default -> relay.runOnce();
          }
        });
  }

  private void disturb() {
    if (calm || quiet) {
      return;
    }
    switch (rates.kinds().get(random.nextInt(rates.kinds().size()))) {
      case CRASH -> anyNode().crash();
      case STOP -> anyNode().stop();
      case DESTINATION_DOWN ->
          downDestination = random.nextBoolean() ? "" : downDestination("fake:orders");
      case DATABASE_DOWN -> databaseDown = !databaseDown;
      case DECIDE_DEAD -> decideDead();
      case JUMP -> jumpWall(jump());
      case REPLICATE -> replicate();
      case FAIL_OVER -> failOver();
      case EMPTY_LEASES -> emptyLeases();
      case COPY_ROWS -> copyRows();
    }
  }

  private void replicate() {
    note("the replica has everything");
    replica = database.backup();
    ledger.replicated();
  }

  private void failOver() {
    if (replica == null) {
      replicate();
    } else {
      note("the replica takes over");
      producers.disconnected();
      database.dead().forEach(dead -> ledger.lostItsPlace(dead.message().id())); // passed, and back
      DatabaseBackup left = database.backup();
      int era = database.outboxStore().era();
      database.failOver(replica);
      hasFailedOver = true;
      if (operators != null) {
        operators.forget();
      }
      if (oneIn(rates.surroundings().sessionsStayOneIn())) {
        leaveSessionsElsewhere(left, era);
      }
      ledger.tookOver();
      ledger.allowDuplicates(ledger.size());
    }
  }

  /** Reads of some nodes stay on the server that was left, which lives on and takes no writes. */
  private void leaveSessionsElsewhere(DatabaseBackup left, int era) {
    InMemoryDatabase old = InMemoryDatabase.create(clock, database.partitioning());
    old.failOver(left);
    for (SimulatedNode node : nodes) {
      if (random.nextBoolean()) {
        node.staysOn(old, era);
      }
    }
  }

  private boolean oneIn(int n) {
    return n != Rates.NEVER && random.nextInt(n) == 0;
  }

  private void emptyLeases() {
    note("the tables of the leases are emptied");
    ledger.allowDuplicates(nodes.size() * SimulatedNode.WINDOW);
    database.emptyLeases();
    leasesEmptied = true;
  }

  private void copyRows() {
    note("rows above the sequence are copied in");
    copies++;
    String key = "copied " + copies;
    database.copyIn(
        COPIED_AHEAD * copies,
        outbox -> {
          for (int i = random.nextInt(5); i >= 0; i--) {
            MessageId id = outbox.send(Message.of("fake:orders", new byte[0]).key(key));
            ledger.committed(id, key, true);
          }
        });
  }

  private Duration jump() {
    if (rates.jumpMax().compareTo(Rates.USUAL.jumpMax()) <= 0) {
      return Duration.ofSeconds(random.nextInt(7) - 3L);
    }
    // Each order of magnitude is as likely as the next.
    double millis = Math.exp(random.nextDouble() * Math.log((double) rates.jumpMax().toMillis()));
    return Duration.ofMillis((long) (random.nextBoolean() ? millis : -millis));
  }

  /** When the database's clock jumps ahead, leases end before their owners think so. */
  private void jumpWall(Duration jump) {
    if (!jump.isNegative()) {
      ledger.allowDuplicates(nodes.size() * SimulatedNode.WINDOW);
    }
    clock.jumpWall(jump);
    jumped = jumped.plus(jump);
    jumpedMax = jumped.compareTo(jumpedMax) > 0 ? jumped : jumpedMax;
  }

  private String downDestination(String other) {
    return random.nextBoolean() ? "fake:mail" : other;
  }

  // ---- around the calls of nodes

  void crashed() {
    note("crash");
    ledger.allowDuplicates(SimulatedNode.WINDOW);
  }

  /** Where nodes are calm, none may be. */
  void lateForItsLease(String name) {
    if (!calm) {
      note(name + " is late for its lease");
      ledger.allowDuplicates(SimulatedNode.WINDOW);
    }
  }

  /** Every delete is of messages that the broker has. */
  void deleted(List<StoredMessage> rows) {
    Set<MessageId> sent = new HashSet<>();
    broker.stored().forEach(message -> sent.add(message.id()));
    rows.stream()
        .filter(row -> !sent.contains(row.id()))
        .forEach(row -> ledger.fault("deleted without having been sent: " + row));
  }

  void broken(Invariant which, String detail) {
    note("broken: " + which + " " + detail);
    boolean known =
        switch (which) {
          case LEASE_ROW -> leasesEmptied || hasFailedOver; // the replica may be older than they
          case EXACT_DELETE -> hasFailedOver;
          case SEQUENCE -> copies > 0;
          case OVERDUE -> false;
        };
    if (!known) {
      ledger.fault("broken " + which + ": " + detail);
    }
  }

  /** Steps of two threads at once would not repeat, and the ledger would miss some of them. */
  void requireItsThread(String call) {
    if (Thread.currentThread() != thread) {
      throw new AssertionError(call + " on " + Thread.currentThread());
    }
  }

  void beforeCall(SimulatedNode node, String name, boolean fenced) {
    if (quiet) {
      return;
    }
    maybeOthersAct();
    if (calm) {
      return;
    }
    maybePause(node, name);
    if (fenced) {
      maybeLoseLease(name);
    }
    maybeCrash(name);
    if (databaseDown || random.nextInt(rates.callFailsOneIn()) == 0) {
      ledger.allowDuplicates(SimulatedNode.WINDOW);
      throw new StoreException("simulated: nothing was done", null);
    }
  }

  void afterCall(SimulatedNode node, String name) {
    if (quiet) {
      return;
    }
    maybeOthersAct();
    if (calm) {
      return;
    }
    maybePause(node, name);
    maybeCrash(name);
    if (random.nextInt(rates.callFailsOneIn()) == 0) {
      ledger.allowDuplicates(SimulatedNode.WINDOW);
      throw new StoreException("simulated: done, but the answer is lost", null);
    }
  }

  private void maybeOthersAct() {
    if (nesting < NESTING_MAX && random.nextInt(8) == 0) {
      nesting++;
      step();
      nesting--;
    }
  }

  /** The process stands still while time goes on and others act. */
  private void maybePause(SimulatedNode node, String name) {
    if (nesting < NESTING_MAX && random.nextInt(rates.pauseOneIn()) == 0) {
      boolean hidden = rates.hiddenPauses() > 0 && random.nextInt(100) < rates.hiddenPauses();
      long before = clock.nanoTime();
      node.frozen(hidden);
      note(name + " stands still");
      ledger.allowDuplicates(SimulatedNode.WINDOW);
      nesting++;
      int steps = random.nextInt(120);
      for (int i = 0; i < steps; i++) {
        pass(Duration.ofMillis(random.nextInt(100)));
        step();
      }
      nesting--;
      if (hidden) {
        node.frozen(false);
        node.missed(clock.nanoTime() - before);
      }
      note(name + " goes on");
    }
  }

  /** The process stands still right before a fenced write until others have just taken over. */
  private void maybeLoseLease(String name) {
    if (nesting > 0 || random.nextInt(rates.loseLeaseOneIn()) > 0) {
      return;
    }
    note(name + " stands still before a fenced write");
    ledger.allowDuplicates(SimulatedNode.WINDOW);
    nesting++;
    for (int i = 0; i < 6; i++) {
      pass(Duration.ofSeconds(1));
      nodes.forEach(node -> node.act(relay -> relay.runOnce(Relay.Step.BEAT)));
    }
    int steps = random.nextInt(12);
    for (int i = 0; i < steps; i++) {
      step();
    }
    nesting--;
    note(name + " goes on");
  }

  private void maybeCrash(String name) {
    if (random.nextInt(rates.crashOneIn()) == 0) {
      throw new SimulatedCrash(name);
    }
  }

  Fault commitFault() {
    int choice = calm || quiet ? 99 : random.nextInt(25);
    return choice == 0 ? Fault.FAIL : choice == 1 ? Fault.LOSE_ANSWER : Fault.NONE;
  }

  // ---- the broker

  void sent(MessageId id) {
    if (!calm && random.nextInt(25) == 0) {
      (random.nextBoolean() ? poisoned : unwanted).add(id);
    }
  }

  void inFlight(FakeTransport transport, StoredMessage message) {
    note("in flight " + message);
    long deadline = clock.nanoTime() + SimulatedNode.RESULT_MAX.toNanos();
    inFlight.add(new Attempt(transport, message, deadline));
  }

  /** A transport gives a result; it may do so long after its deadline. */
  void answering(Runnable result) {
    if (!calm && !quiet && oneIn(rates.surroundings().lateOneIn())) {
      note("a result will be late");
      ledger.allowDuplicates(SimulatedNode.WINDOW);
      late.add(result);
    } else {
      result.run();
    }
  }

  void giveLateResults() {
    while (!late.isEmpty()) {
      late.remove(0).run();
    }
  }

  /** A transport has given a result; it may give it again, much later. */
  void answered(StoredMessage message, Runnable again) {
    if (!calm && !quiet && oneIn(rates.surroundings().repeatedOneIn())) {
      note("the result will be repeated of " + message);
      ledger.allowDuplicates(1);
      repeats.add(again);
    }
  }

  private void resolveSome() {
    if (!repeats.isEmpty() && random.nextInt(4) == 0) {
      repeats.remove(random.nextInt(repeats.size())).run();
    }
    if (!late.isEmpty() && random.nextInt(4) == 0) {
      late.remove(random.nextInt(late.size())).run();
    }
    int n = random.nextInt(6);
    for (int i = 0; i < n && !inFlight.isEmpty(); i++) {
      // Mostly in order, as brokers answer; sometimes not.
      int which = random.nextInt(4) > 0 ? 0 : random.nextInt(inFlight.size());
      resolve(inFlight.remove(which));
    }
  }

  private void resolve(Attempt attempt) {
    Outcome outcome = outcome(attempt.message());
    if (outcome == Outcome.LOSE_ACK || outcome == Outcome.UNAVAILABLE_AFTER_STORING) {
      ledger.allowDuplicates(SimulatedNode.WINDOW); // those behind it may be stored as well
    }
    note(outcome + " " + attempt.message());
    attempt.transport().resolve(attempt.message().id(), outcome);
  }

  private Outcome outcome(StoredMessage message) {
    boolean refused = unwanted.contains(message.id()); // until an operator decides, at rest too
    if (quiet || calm) {
      return refused ? Outcome.REFUSE : Outcome.ACKNOWLEDGE;
    }
    if (message.message().destination().toString().equals(downDestination)) {
      return random.nextInt(5) == 0 ? Outcome.UNAVAILABLE_AFTER_STORING : Outcome.UNAVAILABLE;
    }
    if (refused) {
      return Outcome.REFUSE;
    }
    if (poisoned.contains(message.id())) {
      return Outcome.FAIL;
    }
    if (oneIn(rates.surroundings().lostOneIn())) {
      return random.nextBoolean() ? Outcome.LOSE_ACK : Outcome.UNAVAILABLE_AFTER_STORING;
    }
    int choice = random.nextInt(rates.sendFailsOneIn());
    if (isWide() && choice == 2) {
      return Outcome.UNAVAILABLE; // for this once
    }
    return choice == 0 ? Outcome.FAIL : choice == 1 ? Outcome.LOSE_ACK : Outcome.ACKNOWLEDGE;
  }

  /** Lets time pass; no attempt outlives its deadline. */
  void letPass(Duration time) {
    pass(time);
  }

  private void pass(Duration time) {
    long end = clock.nanoTime() + time.toNanos();
    while (!inFlight.isEmpty() && inFlight.get(0).deadlineNanos() <= end) {
      Attempt next = inFlight.remove(0);
      clock.advance(Duration.ofNanos(Math.max(0, next.deadlineNanos() - 1 - clock.nanoTime())));
      resolve(next);
    }
    clock.advance(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
  }

  // ---- dead letters, and the end

  private void decideDead() {
    for (DeadLetter dead : database.dead()) {
      MessageId id = dead.message().id();
      if (!dead.blocksKey()) {
        ledger.lostItsPlace(id);
      }
      if (operators != null) {
        operators.decided(id);
      }
      if (!quiet && random.nextInt(3) == 0) {
        ledger.discarded(id);
        database.outboxStore().deadLetters().discard(List.of(id), "operator");
      } else {
        poisoned.remove(id);
        unwanted.remove(id);
        ledger.allowDuplicates(1);
        database.outboxStore().deadLetters().requeue(List.of(id), "operator");
      }
    }
  }

  /** Ends all disturbances and waits until nothing is on its way. */
  private List<String> comeToRest() {
    quiet = true;
    databaseDown = false;
    if (isWide()) {
      jumpWall(jumpedMax.minus(jumped)); // else what is due by a clock of before takes hours
    }
    producers.endAll();
    if (operators != null) {
      operators.endAll(this);
    }
    if (copies > 0) {
      nodes.forEach(SimulatedNode::crash); // between two sweeps they look at their start
    }
    int rounds = transportsDiffer() ? MOVING_ROUNDS_MAX : CALM_ROUNDS_MAX;
    for (int round = 0; round < rounds; round++) {
      if (isAtRest()) {
        return new ArrayList<>();
      }
      decideDead();
      for (SimulatedNode node : nodes) {
        if (!node.isUp()) {
          node.start();
        }
        node.act(Relay::runOnce);
      }
      while (!inFlight.isEmpty()) {
        resolve(inFlight.remove(0));
      }
      giveLateResults();
      pass(Duration.ofMillis(40));
    }
    return new ArrayList<>(
        List.of(
            "stuck: unsent "
                + database.unsent()
                + ", parked "
                + database.parked()
                + ", delayed "
                + database.delayed()));
  }

  private boolean isAtRest() {
    return inFlight.isEmpty()
        && late.isEmpty()
        && database.unsent().isEmpty()
        && database.parked().isEmpty()
        && database.delayed().isEmpty()
        && database.dead().isEmpty();
  }
}
