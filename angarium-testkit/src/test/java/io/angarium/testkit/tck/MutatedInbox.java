package io.angarium.testkit.tck;

import io.angarium.inbox.Inbox;
import io.angarium.testkit.memory.InMemoryInbox;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on an inbox with a planted fault; run by {@link InboxMutantTest}. */
@ExtendWith(MutantParameter.class)
class MutatedInbox implements InboxTck<List<String>> {
  private final InMemoryInbox real = new InMemoryInbox();
  private final InboxMutant mutant;
  private final Inbox<List<String>> planted;

  MutatedInbox(InboxMutant mutant) {
    this.mutant = mutant;
    planted = mutant.plant(real);
  }

  @Override
  public InboxFixture<List<String>> fixture() {
    return new InboxFixture<>() {
      @Override
      public Inbox<List<String>> inbox() {
        return planted;
      }

      @Override
      public Inbox<List<String>> another() {
        return planted;
      }

      @Override
      public Inbox<List<String>> impatient() {
        return planted;
      }

      @Override
      public boolean batchesOnlyWait() {
        return mutant == InboxMutant.ENDS_BATCHES_THAT_OVERLAP;
      }

      @Override
      public void write(List<String> transaction, String line) {
        transaction.add(line);
      }

      @Override
      public List<String> written() {
        return real.written();
      }

      @Override
      public void close() {
        // nothing is held
      }
    };
  }
}
