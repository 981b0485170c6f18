package io.angarium.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testkit.tck.HalfMessagesTck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

public class InMemoryHalfMessagesTest implements HalfMessagesTck {
  private static final HalfKey KEY = new HalfKey("order", "1");

  private final InMemoryFixture fixture = new InMemoryFixture(ManualClock.create());

  /** On a clock that goes on with every look at it. */
  public static final class InMemoryFixture implements HalfMessagesFixture {
    private final ManualClock clock;
    private final InMemoryHalfMessages real;

    public InMemoryFixture(ManualClock clock) {
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

    assertThatThrownBy(
            () ->
                fixture
                    .half()
                    .prepare(HalfMessage.of(KEY, Message.of("kafka:orders", new byte[0]))))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> fixture.half().state(KEY)).isInstanceOf(StoreException.class);
    fixture.half().unreachable(false);

    assertThat(fixture.half().state(KEY)).isEqualTo(HalfState.UNKNOWN);
  }
}
