package io.angarium.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditQuery;
import io.angarium.desk.MessageFilter;
import io.angarium.intake.Partitioning;
import io.angarium.operation.Operation.Counts;
import io.angarium.operation.Operation.State;
import io.angarium.operation.OperationDesk.Change;
import io.angarium.store.WriteRefusedException;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.StoreCall;
import io.angarium.testkit.memory.StoreFaults.Fault;
import io.angarium.testkit.memory.Tx;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OperationRunnerTest {
  private static final ActBy ANN = ActBy.of("ann", "ordered by a slip", ActBy.Via.API);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int ROUNDS_MAX = 10_000;

  private final ManualClock clock = ManualClock.create();
  private final InMemoryDatabase database = InMemoryDatabase.create(clock, new Partitioning(4, 2));
  private final OperationDesk desk = database.operations();
  private final OperationRunner first = runner("node-a", database.operations());
  private final OperationRunner second = runner("node-b", database.operations());
  private int operations;

  private OperationRunner runner(String node, OperationStore store) {
    return new OperationRunner(store, node, clock);
  }

  /** Writes messages that are due later. */
  private void delay(int count) {
    try (Tx tx = database.begin()) {
      for (int i = 0; i < count; i++) {
        byte[] payload = "late".getBytes(StandardCharsets.UTF_8);
        tx.outbox()
            .send(
                Message.of("fake:orders", payload)
                    .key("key-" + i)
                    .notBefore(clock.instant().plus(Duration.ofDays(1))));
      }
      tx.commit();
    }
  }

  private OperationPlan plan() {
    operations++;
    return OperationPlan.of(
            new UUID(7, operations), OperationKind.CANCEL, MessageFilter.ALL, database.now(), ANN)
        .delay(Duration.ZERO);
  }

  private Operation begun(OperationPlan plan) {
    return desk.begin(plan);
  }

  private Operation now(Operation operation) {
    return desk.find(operation.plan().id()).orElseThrow();
  }

  /** Goes on until the operation has ended; the clock follows what the runner says. */
  private void runToTheEnd(OperationRunner runner, Operation operation) {
    for (int rounds = 0; !now(operation).state().isEnd(); rounds++) {
      assertThat(rounds).isLessThan(ROUNDS_MAX);
      Duration pause = runner.runOnce().orElse(OperationRunner.PAUSE);
      clock.advance(pause.compareTo(OperationRunner.PAUSE) < 0 ? pause : OperationRunner.PAUSE);
    }
  }

  @Test
  void operationIsCarriedOutAtItsPace() {
    delay(1_000);
    Operation operation = begun(plan().rate(50));
    var begin = clock.instant();

    runToTheEnd(first, operation);

    assertThat(now(operation).counts()).isEqualTo(new Counts(1_000, 1_000, 0, 0));
    assertThat(database.delayed()).isEmpty();
    assertThat(Duration.between(begin, clock.instant()))
        .isBetween(Duration.ofSeconds(19), Duration.ofSeconds(25));
  }

  @Test
  void paceThatIsChangedHoldsFromTheNextStep() {
    delay(1_000);
    Operation operation = begun(plan().rate(1));
    for (int i = 0; i < 10; i++) {
      first.runOnce();
      clock.advance(SECOND);
    }
    assertThat(now(operation).counts().done()).isBetween(9L, 11L);

    desk.rate(operation.plan().id(), OperationPlan.RATE_MAX, ANN);
    var begin = clock.instant();
    runToTheEnd(first, operation);

    assertThat(Duration.between(begin, clock.instant())).isLessThan(Duration.ofSeconds(10));
  }

  @Test
  void severalOperationsGoOnSideBySide() {
    delay(300);
    Operation slow = begun(plan().rate(1));
    Operation fast = begun(plan());

    runToTheEnd(first, fast);

    assertThat(now(fast).state()).isEqualTo(State.DONE);
    assertThat(now(slow).state()).isEqualTo(State.RUNNING);
    assertThat(database.delayed()).isEmpty();
  }

  @Test
  void idleNodeAsksOncePerPause() {
    first.runOnce();
    long calls = database.faults().calls();

    for (int i = 0; i < 49; i++) {
      clock.advance(Duration.ofMillis(100));
      first.runOnce();
    }
    assertThat(database.faults().calls()).isEqualTo(calls);

    clock.advance(Duration.ofMillis(100));
    first.runOnce();
    assertThat(database.faults().calls()).isEqualTo(calls + 1);
  }

  @Test
  void anotherNodeGoesOnWhenTheLeaseHasEnded() {
    delay(500);
    Operation operation = begun(plan());
    first.runOnce();
    clock.advance(SECOND);
    first.runOnce();
    long done = now(operation).counts().done();
    assertThat(done).isBetween(1L, 499L);
    second.runOnce();
    assertThat(now(operation).node()).isEqualTo("node-a");

    clock.advance(OperationRunner.LEASE);
    runToTheEnd(second, operation);

    assertThat(now(operation).node()).isEqualTo("node-b");
    assertThat(now(operation).counts()).isEqualTo(new Counts(500, 500, 0, 0));
    assertThat(first.runOnce()).isEmpty();
  }

  @Test
  void nodeThatEndsHandsItsOperationsOnAtOnce() {
    delay(500);
    Operation operation = begun(plan());
    first.runOnce();

    first.close();
    second.runOnce();

    assertThat(now(operation).node()).isEqualTo("node-b");
  }

  @Test
  void pausedOperationLeavesTheHandsOfItsNode() {
    delay(500);
    Operation operation = begun(plan());
    first.runOnce();
    desk.change(operation.plan().id(), Change.PAUSE, ANN);
    clock.advance(SECOND);

    assertThat(first.runOnce()).isEmpty();

    assertThat(now(operation).state()).isEqualTo(State.PAUSED);
  }

  @Test
  void failureOfOneStepIsToldAndTriedAgain() {
    delay(10);
    Operation operation = begun(plan());
    database.faults().plan(StoreCall.ACT, Fault.NONE).plan(StoreCall.ACT, Fault.FAIL);

    assertThatThrownBy(first::runOnce).isInstanceOf(StoreException.class);

    runToTheEnd(first, operation);
    assertThat(now(operation).counts().done()).isEqualTo(10);
  }

  /** A store of which the database refuses to change some messages. */
  private static final class Refusing implements OperationStore {
    private final OperationStore real;
    private final OperationDesk desk;
    private final long poison;

    Refusing(OperationStore real, OperationDesk desk, long poison) {
      this.real = real;
      this.desk = desk;
      this.poison = poison;
    }

    @Override
    public List<Turn> take(String node, Duration lease) {
      return real.take(node, lease);
    }

    @Override
    public Optional<Operation> step(
        Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
      long reached = desk.find(turn.operation()).orElseThrow().counts().reached();
      if (refusal == null && reached <= poison && poison < reached + messagesMax) {
        throw new WriteRefusedException("it is too odd", new IllegalStateException());
      }
      return real.step(turn, messagesMax, lease, refusal);
    }

    @Override
    public void release(Turn turn) {
      real.release(turn);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 137, 499})
  void messageThatTheDatabaseRefusesKeepsNoOther(long poison) {
    delay(500);
    Operation operation = begun(plan());

    runToTheEnd(runner("node-a", new Refusing(database.operations(), desk, poison)), operation);

    assertThat(now(operation).state()).isEqualTo(State.DONE);
    assertThat(now(operation).counts().done()).isEqualTo(499);
    assertThat(desk.refusals(operation.plan().id()))
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.reason()).contains("too odd"));
    assertThat(database.delayed()).hasSize(1);
  }

  /** Calls fail before and after they take effect, and nodes stand still, all at random. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void whateverFailsEachMessageIsChangedAndCountedOnce(long seed) {
    Random random = new Random(seed);
    delay(300);
    Operation operation = begun(plan().rate(20));
    database
        .faults()
        .plan(
            call ->
                switch (random.nextInt(4)) {
                  case 0 -> Fault.FAIL;
                  case 1 -> Fault.LOSE_ANSWER;
                  default -> Fault.NONE;
                });

    for (int rounds = 0; !ended(operation); rounds++) {
      assertThat(rounds).as("seed " + seed).isLessThan(ROUNDS_MAX);
      OperationRunner one = random.nextBoolean() ? first : second;
      try {
        one.runOnce();
      } catch (StoreException e) {
        clock.advance(SECOND);
      }
      clock.advance(
          random.nextInt(20) == 0 ? OperationRunner.LEASE : Duration.ofMillis(random.nextInt(900)));
    }

    database.faults().plan(call -> Fault.NONE);
    assertThat(now(operation).counts()).as("seed " + seed).isEqualTo(new Counts(300, 300, 0, 0));
    assertThat(database.delayed()).isEmpty();
    assertThat(entries("cancel")).as("seed " + seed).hasSize(300).doesNotHaveDuplicates();
    assertThat(entries("end-operation")).hasSize(1);
  }

  private boolean ended(Operation operation) {
    try {
      return now(operation).state().isEnd();
    } catch (StoreException e) {
      return false;
    }
  }

  private List<String> entries(String act) {
    List<String> targets = new ArrayList<>();
    @Nullable Long before = null;
    List<AuditEntry> page;
    do {
      page =
          database
              .desk()
              .audit()
              .page(new AuditQuery(null, act, null, null, null, null, before, 200));
      page.forEach(entry -> targets.add(entry.target()));
      before = page.isEmpty() ? null : page.get(page.size() - 1).id();
    } while (!page.isEmpty());
    return targets;
  }
}
