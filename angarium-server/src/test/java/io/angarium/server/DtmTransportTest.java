package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpTransport;
import io.angarium.server.DtmMessage.Step;
import io.angarium.store.Position;
import io.angarium.store.StoreException;
import io.angarium.store.StoredMessage;
import io.angarium.testkit.InMemoryHalfMessages;
import io.angarium.testkit.ManualClock;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the steps of a message of dtm when something fails between them. */
class DtmTransportTest {
  private final DtmWorld world = new DtmWorld();
  private final InMemoryHalfMessages stored = new InMemoryHalfMessages(ManualClock.create());
  private final Failing failing = new Failing(stored);
  private final DtmSteps steps = new DtmSteps("transfers");
  private final DtmTransport transport =
      new DtmTransport(HttpTransport.dtm(HttpConfig.allowing(world.host())), failing, steps);

  /** A database that can be away. */
  private static final class Failing implements HalfMessages {
    private final HalfMessages half;
    private volatile boolean away;

    Failing(HalfMessages half) {
      this.half = half;
    }

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      if (away) {
        throw new StoreException("away", null);
      }
      return half.callAll(calls);
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return half.states(keys);
    }
  }

  @AfterEach
  void stop() {
    transport.close();
    world.close();
  }

  private StoredMessage message() {
    List<Step> two = List.of(new Step(world.url("/a"), "1"), new Step(world.url("/b"), "2"));
    Message first = steps.first(new DtmMessage("g1", two, null, Duration.ZERO, Map.of())).message();
    return new StoredMessage(
        new Position(1, 1, 1), new MessageId(new UUID(1, 1)), first, 0, Instant.EPOCH);
  }

  private SendResult send(StoredMessage message) throws Exception {
    CompletableFuture<SendResult> result = new CompletableFuture<>();
    transport.send(
        List.of(message),
        (sent, ended) -> {
          assertThat(sent).isSameAs(message);
          result.complete(ended);
        });
    return result.get(1, TimeUnit.MINUTES);
  }

  @Test
  void messageIsDoneWhenItsNextStepIsStored() throws Exception {
    assertThat(send(message())).isEqualTo(SendResult.ACKNOWLEDGED);

    assertThat(stored.sent()).hasSize(1);
    assertThat(stored.sent().get(0).destination().address()).isEqualTo(world.url("/b"));
    assertThat(stored.sent().get(0).payload()).containsExactly('2');
  }

  @Test
  void messageThatComesAgainStoresItsNextStepOnce() throws Exception {
    send(message());
    send(message());

    assertThat(world.paths()).containsExactly("/a", "/a");
    assertThat(stored.sent()).hasSize(1);
  }

  @Test
  void messageWhoseNextStepCannotBeStoredIsNotDone() throws Exception {
    failing.away = true;
    SendResult away = send(message());
    failing.away = false;
    SendResult back = send(message());

    assertThat(away).isInstanceOf(SendResult.Unavailable.class);
    assertThat(back).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(stored.sent()).hasSize(1);
  }

  @Test
  void stepThatFailsStoresNothing() throws Exception {
    world.reply("/a", new DtmWorld.Reply(409, ""), new DtmWorld.Reply(404, ""));

    assertThat(send(message())).isInstanceOf(SendResult.Failed.class);
    assertThat(send(message())).isInstanceOf(SendResult.Refused.class);

    assertThat(stored.sent()).isEmpty();
  }
}
