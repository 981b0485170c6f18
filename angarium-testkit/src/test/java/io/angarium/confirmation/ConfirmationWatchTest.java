package io.angarium.confirmation;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.util.Collection;
import org.junit.jupiter.api.Test;

class ConfirmationWatchTest {
  private final ManualClock clock = ManualClock.create();
  private final Calls calls = new Calls();
  private final ConfirmationWatch watch =
      new ConfirmationWatch(calls, ConfirmationConfig.NONE.interval(), clock);

  /** Counts what it is asked for. */
  private static final class Calls implements Confirmations {
    private int searches;
    private int forgettings;

    @Override
    public void confirm(Collection<MessageId> ids) {
      throw new AssertionError("nobody confirms here");
    }

    @Override
    public Overdue settleOverdue() {
      searches++;
      return Overdue.NONE;
    }

    @Override
    public int forgetReceipts() {
      forgettings++;
      return 0;
    }

    @Override
    public long unconfirmed() {
      return 0;
    }
  }

  @Test
  void everyLookSearchesAndTheFirstInAnHourForgets() {
    watch.look();
    clock.advance(Duration.ofMinutes(59));
    watch.look();

    assertThat(calls.searches).isEqualTo(2);
    assertThat(calls.forgettings).isEqualTo(1);

    clock.advance(Duration.ofMinutes(1));
    watch.look();
    watch.look();

    assertThat(calls.searches).isEqualTo(4);
    assertThat(calls.forgettings).isEqualTo(2);
  }

  @Test
  void clockOfTheWallChangesNothing() {
    watch.look();
    clock.jumpWall(Duration.ofDays(1));
    watch.look();

    assertThat(calls.forgettings).isEqualTo(1);
  }
}
