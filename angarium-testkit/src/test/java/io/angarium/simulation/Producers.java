package io.angarium.simulation;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.testkit.memory.StoreFaults.Fault;
import io.angarium.testkit.memory.Tx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Applications with overlapping transactions. One that sends for a key first locks that key's
 * business row and holds it to its end; what has no key overlaps freely.
 */
final class Producers {
  private static final int OPEN_MAX = 6;
  private static final int KEYS = 5;
  private static final int BURST = 25;

  private record Sent(MessageId id, String key, boolean ordered) {}

  private static final class Open {
    final Tx tx;
    final List<Sent> sent = new ArrayList<>();

    Open(Tx tx) {
      this.tx = tx;
    }
  }

  private final Simulation world;
  private final Random random;
  private final List<Open> open = new ArrayList<>();
  private final Map<String, Open> locks = new HashMap<>();
  private int sends;

  Producers(Simulation world, Random random) {
    this.world = world;
    this.random = random;
  }

  void act() {
    int choice = random.nextInt(10);
    if (choice < 3 && open.size() < OPEN_MAX) {
      open.add(new Open(world.database.begin(world.anyNode().handover())));
    } else if (choice < 7 && !open.isEmpty()) {
      Open transaction = open.get(random.nextInt(open.size()));
      int messages = random.nextInt(20) == 0 ? BURST : 1; // more than a relay's window
      for (int i = 0; i < messages; i++) {
        send(transaction);
      }
    } else if (!open.isEmpty()) {
      end(open.remove(random.nextInt(open.size())), random.nextInt(5) == 0);
    }
  }

  /** The server is gone with all that was open. */
  void disconnected() {
    open.forEach(transaction -> transaction.tx.rollback());
    open.clear();
    locks.clear();
  }

  void endAll() {
    while (!open.isEmpty()) {
      end(open.remove(0), false);
    }
  }

  private void send(Open transaction) {
    List<String> destinations = world.destinations();
    String destination = destinations.get(random.nextInt(destinations.size()));
    Message message = Message.of(destination, new byte[payloadBytes()]);
    if (random.nextInt(4) == 0) {
      record(transaction, message, null);
      return;
    }
    String key = "k" + random.nextInt(KEYS);
    String row = destination + "/" + key;
    if (locks.getOrDefault(row, transaction) == transaction) {
      locks.put(row, transaction);
      record(transaction, message.key(key), row);
    }
  }

  // in turn: a choice would change what all other seeds do
  private int payloadBytes() {
    int[] bytes = {0, 300, 10, 500, 0, 1_200, 150};
    return world.narrow ? bytes[sends++ % bytes.length] : 0;
  }

  private void record(Open transaction, Message message, @Nullable String row) {
    boolean delayed = random.nextInt(15) == 0;
    Message sent =
        delayed
            ? message.notBefore(world.database.now().plus(Duration.ofMillis(random.nextInt(2_000))))
            : message;
    MessageId id = transaction.tx.outbox().send(sent);
    boolean ordered = row != null && !delayed;
    transaction.sent.add(new Sent(id, row == null ? "no key" : row, ordered));
    world.sent(id);
  }

  private void end(Open transaction, boolean rollback) {
    locks.values().removeIf(owner -> owner == transaction);
    if (rollback) {
      transaction.tx.rollback();
      return;
    }
    Fault fault = world.commitFault();
    world.database.faults().plan(StoreCall.COMMIT, fault);
    if (fault != Fault.FAIL) {
      transaction.sent.forEach(
          sent -> world.ledger.committed(sent.id(), sent.key(), sent.ordered()));
    }
    try {
      transaction.tx.commit();
    } catch (StoreException e) {
      world.note("an application does not know whether its commit went through");
    }
  }
}
