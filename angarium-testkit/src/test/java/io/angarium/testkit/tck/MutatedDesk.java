package io.angarium.testkit.tck;

import io.angarium.desk.Desk;
import io.angarium.testkit.memory.InMemoryDeskFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on a desk with a planted fault; run by {@link DeskMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedDesk implements DeskTck {
  private final DeskFixture fixture;

  MutatedDesk(DeskMutant mutant) {
    fixture =
        new InMemoryDeskFixture() {
          private final Desk planted = mutant.plant(super.desk(), super.outbox());

          @Override
          public Desk desk() {
            return planted;
          }
        };
  }

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
