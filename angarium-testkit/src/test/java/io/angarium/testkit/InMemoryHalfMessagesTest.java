package io.angarium.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryHalfMessagesTest implements HalfMessagesTck {
  private final InMemoryFixture fixture = new InMemoryFixture(ManualClock.create());

  /** On a clock that goes on with every look at it. */
  static final class InMemoryFixture implements HalfMessagesFixture {
    private final ManualClock clock;
    private final InMemoryHalfMessages real;

    InMemoryFixture(ManualClock clock) {
      this.clock = clock;
      this.real = new InMemoryHalfMessages(clock);
    }

    @Override
    public InMemoryHalfMessages half() {
      return real;
    }

    @Override
    public HalfMessages another() {
      return real;
    }

    @Override
    public List<Message> sent() {
      return real.sent();
    }

    @Override
    public Instant now() {
      return clock.advance(Duration.ofMillis(1)).instant();
    }

    @Override
    public void close() {
      // nothing is held
    }
  }

  @Override
  public InMemoryFixture fixture() {
    return fixture;
  }

  @Test
  void canBeTakenAwayAndBroughtBack() {
    fixture.half().unreachable(true);

    assertThatThrownBy(() -> fixture.half().prepare(HalfScene.message(HalfScene.KEY)))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> fixture.half().state(HalfScene.KEY))
        .isInstanceOf(StoreException.class);
    fixture.half().unreachable(false);

    assertThat(fixture.half().state(HalfScene.KEY)).isEqualTo(HalfState.UNKNOWN);
  }
}
