package io.angarium.testkit.memory;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.half.check.CheckStore;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.tck.CheckBackFixture;
import io.angarium.testkit.tck.CheckBackTck;
import java.time.Duration;
import java.util.List;

public class InMemoryCheckBackTest implements CheckBackTck {
  private final InMemoryFixture fixture = new InMemoryFixture();

  /** On a clock that goes on when the test says so. */
  public static final class InMemoryFixture implements CheckBackFixture {
    private final ManualClock clock = ManualClock.create();
    private final InMemoryHalfMessages half = new InMemoryHalfMessages(clock);
    private final InMemoryCheckStore store = new InMemoryCheckStore(half, clock);

    private final InMemoryHalfMessageDesk desk = new InMemoryHalfMessageDesk(half, store, clock);

    @Override
    public HalfMessages half() {
      return half;
    }

    @Override
    public CheckStore store() {
      return store;
    }

    @Override
    public CheckStore another() {
      return store;
    }

    @Override
    public HalfMessageDesk desk() {
      return desk;
    }

    @Override
    public void pass(Duration time) {
      clock.advance(time);
    }

    @Override
    public List<Message> sent() {
      return half.sent();
    }

    @Override
    public void close() {
      // nothing is held
    }
  }

  @Override
  public CheckBackFixture fixture() {
    return fixture;
  }
}
