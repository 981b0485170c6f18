package io.angarium.http.half;

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

/** The contract over a wire; the real server has its own test. */
class HttpHalfMessagesTest implements HalfMessagesTck {
  private final WiredFixture fixture = new WiredFixture();

  @Override
  public HalfMessagesFixture fixture() {
    return fixture;
  }

  private static final class WiredFixture implements HalfMessagesFixture {
    private final ManualClock clock = ManualClock.create();
    private final InMemoryHalfMessages real = new InMemoryHalfMessages(clock);
    private final HalfStubServer server = new HalfStubServer(real);
    private final List<HttpHalfMessages> open = new ArrayList<>();
    private final HttpHalfMessages half = client();

    private HttpHalfMessages client() {
      HttpHalfConfig config = HttpHalfConfig.of(server.address()).apiKey("secret");
      HttpHalfMessages client = HttpHalfMessages.open(config, MessageIntake.of(null));
      open.add(client);
      return client;
    }

    @Override
    public HalfMessages half() {
      return half;
    }

    @Override
    public HalfMessages another() {
      return client();
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
      open.forEach(HttpHalfMessages::close);
      server.close();
    }
  }
}
