package io.angarium.simulation;

import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import io.angarium.desk.Desk;
import io.angarium.desk.DestinationPause;
import io.angarium.intake.StoredMessage;
import io.angarium.pause.PauseStore;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.memory.InMemoryDatabase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Persons who pause destinations, resume them, and bury what waits for them. They choose by a
 * random of their own, so that all else is as without them.
 */
final class Operators {
  private static final ActBy BY = ActBy.of("ada", "the broker restarts", ActBy.Via.API);
  private static final List<String> PATTERNS =
      List.of("fake:orders", "fake:mail", "fake:*", "*", "other:*");

  private static final int NODES = 3;

  private final InMemoryDatabase database;
  private final Desk desk;
  private final Ledger ledger;
  private final Random random;
  private final Set<MessageId> buried = new HashSet<>();
  private int burials;

  Operators(InMemoryDatabase database, Ledger ledger, long seed) {
    this.database = database;
    this.desk = database.desk();
    this.ledger = ledger;
    this.random = new Random(seed);
  }

  /** The pauses as a node sees them; calls fail as other calls of it do. */
  PauseStore pauses(Hooks hooks) {
    PauseStore real = database.pauses();
    return new PauseStore() {
      @Override
      public Optional<InForce> changedSince(long version) {
        return hooks.around("pauses", () -> real.changedSince(version));
      }

      @Override
      public void applied(NodeId node, long version) {
        hooks.around("applied", () -> real.applied(node, version));
      }
    };
  }

  /** How many messages were buried. */
  int burials() {
    return burials;
  }

  /** Sometimes does something. */
  void act() {
    switch (random.nextInt(24)) {
      case 0 ->
          desk.pauses()
              .pause(
                  PATTERNS.get(random.nextInt(PATTERNS.size())),
                  DestinationPause.MIN.plusSeconds(random.nextInt(60)),
                  BY);
      case 1, 2 -> resumeOne();
      case 3, 4, 5 -> bury();
      default -> {}
    }
  }

  private void resumeOne() {
    List<DestinationPause> pauses = desk.pauses().pauses();
    if (!pauses.isEmpty()) {
      desk.pauses().resume(pauses.get(random.nextInt(pauses.size())).id(), BY);
    }
  }

  private void bury() {
    List<StoredMessage> waiting = new ArrayList<>(database.unsent());
    database.parked().forEach(row -> waiting.add(row.message()));
    if (waiting.isEmpty()) {
      return;
    }
    StoredMessage one = waiting.get(random.nextInt(waiting.size()));
    ActResult result = desk.acts().bury(List.of(one.id()), BY);
    for (MessageId id : result.done()) {
      burials++;
      buried.add(id);
      ledger.lostItsPlace(id);
    }
  }

  /** Lets all pauses end, by the clock or by a person. */
  void endAll(Simulation world) {
    if (random.nextBoolean()) {
      ledger.allowDuplicates(NODES * SimulatedNode.WINDOW); // no lease lasts so long
      world.letPass(DestinationPause.MIN.plusMinutes(1));
    }
    for (DestinationPause pause : desk.pauses().pauses()) {
      desk.pauses().resume(pause.id(), BY);
    }
  }

  /** A dead letter is requeued or discarded. */
  void decided(MessageId id) {
    buried.remove(id);
  }

  /** An earlier state of the database came back. */
  void forget() {
    buried.clear();
  }

  /** A node hands a message to a transport: a live one must not if it is paused or buried. */
  void sending(NodeId node, StoredMessage message) {
    if (!database.liveNodes().contains(node)) {
      return;
    }
    String destination = message.message().destination().toString();
    desk.pauses().pauses().stream()
        .filter(pause -> pause.covers(destination) && pause.isAppliedEverywhere())
        .forEach(pause -> ledger.fault("sent while " + pause + " is applied: " + message));
    if (buried.contains(message.id())) {
      ledger.fault("sent after its burial: " + message);
    }
  }
}
