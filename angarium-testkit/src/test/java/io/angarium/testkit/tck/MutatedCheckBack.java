package io.angarium.testkit.tck;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.half.check.CheckStore;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.testkit.memory.InMemoryCheckBackTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on check-backs with a planted fault; run by {@link CheckMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedCheckBack implements CheckBackTck {
  private final InMemoryCheckBackTest.InMemoryFixture real =
      new InMemoryCheckBackTest.InMemoryFixture();
  private final CheckMutant mutant;

  MutatedCheckBack(CheckMutant mutant) {
    this.mutant = mutant;
  }

  @Override
  public CheckBackFixture fixture() {
    return new CheckBackFixture() {
      @Override
      public HalfMessages half() {
        return real.half();
      }

      @Override
      public CheckStore store() {
        return mutant.plant(real);
      }

      @Override
      public CheckStore another() {
        return mutant.plant(real);
      }

      @Override
      public HalfMessageDesk desk() {
        return mutant.plant(real.desk());
      }

      @Override
      public void pass(Duration time) {
        real.pass(time);
      }

      @Override
      public List<Message> sent() {
        return real.sent();
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }
}
