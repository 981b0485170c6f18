package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.http.DtmStep;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpTransport;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.server.dtm.DtmMessage;
import io.angarium.server.dtm.DtmMessage.Step;
import io.angarium.server.dtm.DtmSteps;
import io.angarium.server.dtm.DtmStores;
import io.angarium.server.dtm.DtmTransport;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the steps of a message of dtm when something fails between them. */
class DtmTransportTest {
  private final DtmWorld world = new DtmWorld();
  private final InMemoryHalfMessages stored = new InMemoryHalfMessages(ManualClock.create());
  private final Failing failing = new Failing(stored);
  private final DtmSteps steps = new DtmSteps("transfers");
  private final DtmTransport transport =
      new DtmTransport(
          HttpTransport.dtm(HttpConfig.allowing(world.host())),
          new DtmStores(failing, Duration.ofSeconds(2), 1),
          steps);

  /** A database that can be away. */
  private static final class Failing implements HalfMessages {
    private final HalfMessages half;
    private final AtomicInteger hanging = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private volatile @Nullable RuntimeException failure;
    private volatile boolean hangs;

    Failing(HalfMessages half) {
      this.half = half;
    }

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      RuntimeException failure = this.failure;
      if (failure != null) {
        throw failure;
      }
      if (hangs) {
        hang();
      }
      return half.callAll(calls);
    }

    private void hang() {
      hanging.incrementAndGet();
      begun.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return half.states(keys);
    }
  }

  @AfterEach
  void stop() {
    failing.release.countDown();
    transport.close();
    world.close();
  }

  private StoredMessage message() {
    return message(1);
  }

  private StoredMessage message(int number) {
    List<Step> two = List.of(new Step(world.url("/a"), "1"), new Step(world.url("/b"), "2"));
    DtmMessage message = new DtmMessage("g" + number, two, null, Duration.ZERO, Map.of());
    return stored(number, steps.first(message).message());
  }

  private static StoredMessage stored(int number, Message message) {
    return new StoredMessage(
        new Position(1, 1, number), new MessageId(new UUID(1, number)), message, 0, Instant.EPOCH);
  }

  private StoredMessage withMore(int number, String payload, String branch) {
    Headers headers =
        Headers.of(Map.of(DtmStep.GID, "g", DtmStep.BRANCH, branch, DtmSteps.MORE, "1"));
    Destination destination = new Destination(DtmStep.TRANSPORT, world.url("/a"));
    return stored(number, Message.of(destination, payload.getBytes(UTF_8)).headers(headers));
  }

  /** The result of each, which every message has to have. */
  private List<SendResult> sendAll(List<StoredMessage> messages) throws Exception {
    Map<StoredMessage, CompletableFuture<SendResult>> results = new LinkedHashMap<>();
    messages.forEach(each -> results.put(each, new CompletableFuture<>()));
    transport.send(messages, (sent, ended) -> results.get(sent).complete(ended));
    List<SendResult> all = new ArrayList<>();
    for (CompletableFuture<SendResult> each : results.values()) {
      all.add(each.get(1, TimeUnit.MINUTES));
    }
    return all;
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
    failing.failure = new StoreException("away", null);
    SendResult away = send(message());
    failing.failure = null;
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

  @Test
  void envelopeThatIsNoneIsRefusedAndHindersNobody() throws Exception {
    String step = "{\"action\":\"" + world.url("/b") + "\",\"payload\":\"2\"}";
    String good = "{\"payload\":\"1\",\"next\":[" + step + "]}";

    List<SendResult> results =
        sendAll(
            List.of(
                withMore(1, "null", "01"),
                withMore(2, "{}", "01"),
                withMore(3, "{\"payload\":\"1\",\"next\":[]}", "01"),
                withMore(4, "{\"payload\":\"1\",\"next\":[null]}", "01"),
                withMore(5, "{\"payload\":\"1\",\"next\":[{}]}", "01"),
                withMore(6, "nothing", "01"),
                withMore(7, good, "first"),
                withMore(8, good.replace(world.url("/b"), ""), "01"),
                withMore(9, good, "01")));

    assertThat(results.subList(0, 8)).allMatch(each -> each instanceof SendResult.Refused);
    assertThat(results.get(8)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(world.paths()).containsExactly("/a");
  }

  /** What is in the database need not have come through the reading. */
  @Test
  void headersOfTheConnectionAreNotSent() throws Exception {
    Headers headers = Headers.of(Map.of(DtmStep.GID, "g", DtmStep.BRANCH, "01"));
    Destination destination = new Destination(DtmStep.TRANSPORT, world.url("/a"));
    Message smuggling =
        Message.of(destination, new byte[] {'1'})
            .headers(headers.with(DtmStep.HEADER_PREFIX + "Transfer-Encoding", "chunked"));

    // by the reason, as a receiver that cannot read the body refuses it as well
    assertThat(send(stored(1, smuggling)))
        .isInstanceOfSatisfying(
            SendResult.Refused.class,
            refused -> assertThat(refused.reason()).contains("none of the connection"));
    assertThat(world.calls()).isEmpty();
  }

  @Test
  void nextStepThatIsRefusedForGoodMakesADeadLetter() throws Exception {
    failing.failure = new InvalidMessageException("too large");
    SendResult invalid = send(message());
    failing.failure = new IllegalStateException("nobody knows");
    SendResult unknown = send(message());
    failing.failure = null;
    stored.callAll(
        List.of(new HalfCall.Rollback(new HalfKey("transfers", "g1#02"), WhenUnknown.REMEMBER)));
    SendResult refused = send(message());

    assertThat(invalid).isInstanceOf(SendResult.Refused.class);
    assertThat(unknown).isInstanceOf(SendResult.Failed.class);
    assertThat(refused).isInstanceOf(SendResult.Refused.class);
  }

  /** Four are begun and hang, one waits, for the sixth there is no room. */
  @Test
  void databaseThatHangsHasEveryMessageComeAgainAndBeginsNoneTooLate() throws Exception {
    failing.hangs = true;
    List<StoredMessage> six = IntStream.rangeClosed(1, 6).mapToObj(this::message).toList();

    List<SendResult> results = sendAll(six);
    failing.release.countDown();
    transport.flush(Duration.ofMinutes(1));
    transport.close();

    assertThat(results).allMatch(each -> each instanceof SendResult.Unavailable);
    assertThat(results.toString()).contains("RejectedExecutionException", "TimeoutException");
    assertThat(failing.hanging).hasValue(4);
    assertThat(stored.sent()).hasSize(4);
  }

  @Test
  void flushEndsAtItsTimeoutWhileTheDatabaseHangs() throws Exception {
    failing.hangs = true;
    CompletableFuture<SendResult> result = new CompletableFuture<>();
    DtmTransport patient =
        new DtmTransport(
            HttpTransport.dtm(HttpConfig.allowing(world.host())),
            new DtmStores(failing, Duration.ofMinutes(1), 1),
            steps);
    patient.send(List.of(message()), (sent, ended) -> result.complete(ended));
    failing.begun.await();

    patient.flush(Duration.ofMillis(50));
    boolean early = result.isDone();
    failing.release.countDown();
    patient.flush(Duration.ofMinutes(1));
    patient.close();

    assertThat(early).isFalse();
    assertThat(result).isCompletedWithValue(SendResult.ACKNOWLEDGED);
  }
}
