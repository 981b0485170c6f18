package io.angarium.testkit.tck;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessagesTest.InMemoryFixture;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on half messages with a planted fault; run by {@link HalfMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedHalfMessages implements HalfMessagesTck {
  private final ManualClock clock = ManualClock.create();
  private final InMemoryFixture real = new InMemoryFixture(clock);
  private final HalfMessages planted;

  MutatedHalfMessages(HalfMutant mutant) {
    planted = mutant.plant(real.half(), clock);
  }

  @Override
  public HalfMessagesFixture fixture() {
    return new HalfMessagesFixture() {
      @Override
      public HalfMessages half() {
        return planted;
      }

      @Override
      public HalfMessages another() {
        return planted;
      }

      @Override
      public List<Message> sent() {
        return real.sent();
      }

      @Override
      public Instant now() {
        return real.now();
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }
}
