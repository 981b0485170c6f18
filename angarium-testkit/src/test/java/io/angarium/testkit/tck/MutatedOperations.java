package io.angarium.testkit.tck;

import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationStore;
import io.angarium.testkit.memory.InMemoryDeskFixture;
import io.angarium.testkit.operation.InMemoryOperations;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on operations with a planted fault; run by {@link OperationMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedOperations implements OperationTck, OperationStepTck {
  private final DeskFixture fixture;

  MutatedOperations(OperationMutant mutant) {
    fixture =
        new InMemoryDeskFixture() {
          private final PlantedOperations<InMemoryOperations> planted =
              mutant.plant((InMemoryOperations) super.operationDesk());

          @Override
          public OperationDesk operationDesk() {
            return planted;
          }

          @Override
          public OperationStore operationStore() {
            return planted;
          }
        };
  }

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
