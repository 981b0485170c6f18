package io.angarium.testkit.tck;

import io.angarium.desk.ActBy;
import io.angarium.desk.BoundedCount;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Operations that pass everything on; a mutant changes one thing. */
class PlantedOperations<S extends OperationDesk & OperationStore>
    implements OperationDesk, OperationStore {
  final S real;

  PlantedOperations(S real) {
    this.real = real;
  }

  @Override
  public Operation begin(OperationPlan plan) {
    return real.begin(plan);
  }

  @Override
  public Optional<Operation> find(UUID id) {
    return real.find(id);
  }

  @Override
  public List<Operation> newest(int limit) {
    return real.newest(limit);
  }

  @Override
  public boolean change(UUID id, Change change, ActBy by) {
    return real.change(id, change, by);
  }

  @Override
  public boolean rate(UUID id, int rate, ActBy by) {
    return real.rate(id, rate, by);
  }

  @Override
  public List<Refusal> refusals(UUID id) {
    return real.refusals(id);
  }

  @Override
  public BoundedCount diedAgain(UUID id) {
    return real.diedAgain(id);
  }

  @Override
  public List<Turn> take(String node, Duration lease) {
    return real.take(node, lease);
  }

  @Override
  public Optional<Operation> step(
      Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
    return real.step(turn, messagesMax, lease, refusal);
  }

  @Override
  public void release(Turn turn) {
    real.release(turn);
  }
}
