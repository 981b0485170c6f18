package io.angarium.dubbo;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testkit.tck.HalfMessagesTck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The contract of half messages, with Dubbo between. */
final class DubboHalfContractTest implements HalfMessagesTck {
  private final Fixture fixture = new Fixture();

  @Override
  public Fixture fixture() {
    return fixture;
  }

  static final class Fixture implements HalfMessagesFixture {
    private final ManualClock clock = ManualClock.create();
    private final InMemoryHalfMessages real = new InMemoryHalfMessages(clock);
    private final Loopback loopback = new Loopback();
    private final DubboServer server = loopback.open().offer(new HalfMessagesOverDubbo(real));
    private final List<DubboHalfMessages> clients = new ArrayList<>();
    private final HalfMessages half = another();

    @Override
    public HalfMessages half() {
      return half;
    }

    @Override
    public HalfMessages another() {
      DubboHalfMessages client =
          DubboHalfMessages.open(
              DubboHalfConfig.of(loopback.address()).answer(Duration.ofMinutes(1)),
              MessageIntake.of(null));
      clients.add(client);
      return client;
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
      clients.forEach(DubboHalfMessages::close);
      server.close();
    }
  }
}
