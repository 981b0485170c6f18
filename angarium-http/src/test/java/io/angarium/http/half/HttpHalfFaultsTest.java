package io.angarium.http.half;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.http.half.HttpHalfConfig.Limits;
import io.angarium.intake.MessageIntake;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.FreePort;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers are told when something goes wrong, and how calls share requests. */
class HttpHalfFaultsTest {
  private static final HalfKey KEY = key("1");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final InMemoryHalfMessages real = new InMemoryHalfMessages(ManualClock.create());
  private final HalfStubServer server = new HalfStubServer(real);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<HttpHalfMessages> open = new ArrayList<>();

  private static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  private static HalfMessage message(HalfKey key) {
    return HalfMessage.of(key, Message.of("kafka:orders", key.key().getBytes(UTF_8)));
  }

  private HttpHalfMessages client() {
    return client(HttpHalfConfig.of(server.address()));
  }

  private HttpHalfMessages client(HttpHalfConfig config) {
    HttpHalfMessages client = HttpHalfMessages.open(config, MessageIntake.of("shop"));
    open.add(client);
    return client;
  }

  private HttpHalfMessages clientOf(int requests, int calls, int bytes) {
    Limits limits = new Limits(requests, calls, bytes);
    return client(HttpHalfConfig.of(server.address()).limits(limits));
  }

  @AfterEach
  void close() {
    open.forEach(HttpHalfMessages::close);
    threads.shutdownNow();
    server.close();
  }

  @Test
  void callsThatComeMeanwhileShareTheNextRequest() throws Exception {
    CountDownLatch held = holdFirstRequest();
    HttpHalfMessages half = clientOf(1, 500, 1 << 20);
    List<Future<HalfState>> prepares = new ArrayList<>();
    prepares.add(threads.submit(() -> half.prepare(message(KEY))));
    awaitTrue(() -> server.batches().size() == 1);

    for (int i = 2; i <= 40; i++) {
      HalfKey key = key("" + i);
      prepares.add(threads.submit(() -> half.prepare(message(key))));
    }
    awaitTrue(() -> half.waiting() == 39);
    held.countDown();

    for (Future<HalfState> prepare : prepares) {
      assertThat(prepare.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.PREPARED);
    }
    assertThat(server.batches()).extracting(List::size).containsExactly(1, 39);
  }

  @Test
  void preparesCommitsAndRollbacksAreRequestsOfTheirOwn() throws Exception {
    CountDownLatch held = holdFirstRequest();
    HttpHalfMessages half = clientOf(1, 500, 1 << 20);
    real.prepare(message(key("2")));
    real.prepare(message(key("4")));
    List<Future<HalfState>> calls = new ArrayList<>();
    calls.add(threads.submit(() -> half.prepare(message(KEY))));
    awaitTrue(() -> server.batches().size() == 1);

    real.prepare(message(key("6")));
    for (int i = 2; i <= 6; i++) {
      HalfKey key = key("" + i);
      int before = half.waiting();
      calls.add(
          threads.submit(
              () ->
                  switch (key.key()) {
                    case "2", "4" -> half.commit(key);
                    case "6" -> half.rollback(key);
                    default -> half.prepare(message(key));
                  }));
      awaitTrue(() -> half.waiting() == before + 1);
    }
    held.countDown();

    for (Future<HalfState> call : calls) {
      call.get(60, TimeUnit.SECONDS);
    }
    assertThat(server.batches().stream().map(HttpHalfFaultsTest::keys))
        .containsExactly(List.of("1"), List.of("2", "4"), List.of("3", "5"), List.of("6"));
  }

  private static List<String> keys(List<HalfCall> calls) {
    return calls.stream().map(call -> call.key().key()).toList();
  }

  @Test
  void requestHoldsNoMoreCallsAndBytesThanAllowed() {
    List<HalfCall> calls = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      calls.add(new HalfCall.Prepare(message(key("" + i))));
    }
    HalfMessage large = HalfMessage.of(key("large"), Message.of("kafka:orders", new byte[1_500]));

    clientOf(1, 10, 1 << 20).callAll(calls);
    clientOf(1, 500, 2_048)
        .callAll(List.of(new HalfCall.Prepare(large), new HalfCall.Prepare(large)));

    assertThat(server.batches()).extracting(List::size).containsExactly(10, 10, 5, 1, 1);
  }

  @Test
  void noMoreRequestsAreUnderWayThanAllowed() throws Exception {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    server.detour(
        (exchange, calls) -> {
          most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          real.callAll(calls);
          underWay.decrementAndGet();
          return false;
        });
    HttpHalfMessages half = clientOf(2, 1, 1 << 20);

    List<Future<HalfState>> prepares = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      HalfKey key = key("" + i);
      prepares.add(threads.submit(() -> half.prepare(message(key))));
    }

    for (Future<HalfState> prepare : prepares) {
      assertThat(prepare.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.PREPARED);
    }
    assertThat(most.get()).isBetween(1, 2);
  }

  @Test
  void callThatTheServerRefusesFailsItsOwnCallerOnly() throws Exception {
    HalfKey wrong = key("wrong");
    CountDownLatch held = holdFirstRequest();
    HttpHalfMessages half = clientOf(1, 500, 1 << 20);
    Future<HalfState> first = threads.submit(() -> half.prepare(message(KEY)));
    awaitTrue(() -> server.batches().size() == 1);
    Future<HalfState> right = threads.submit(() -> half.prepare(message(key("right"))));
    awaitTrue(() -> half.waiting() == 1);
    Future<HalfState> failing = threads.submit(() -> half.prepare(message(wrong)));
    awaitTrue(() -> half.waiting() == 2);
    server.detour(
        (exchange, calls) -> {
          int at = calls.stream().map(HalfCall::key).toList().indexOf(wrong);
          if (at >= 0) {
            HalfStubServer.problem(exchange, 403, "NOT_PERMITTED", "not there", "" + at);
          }
          return at >= 0;
        });
    held.countDown();

    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.PREPARED);
    assertThat(right.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.PREPARED);
    assertThatThrownBy(() -> failing.get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(NotPermittedException.class)
        .hasMessageContaining("not there");
    assertThat(server.batches()).extracting(List::size).containsExactly(1, 2, 1);
  }

  @Test
  void keyThatIsHeldFailsItsOwnCallersOnly() throws Exception {
    HalfKey stuck = key("stuck");
    CountDownLatch held = holdFirstRequest();
    HttpHalfMessages half = clientOf(1, 500, 1 << 20);
    Future<HalfState> first = threads.submit(() -> half.prepare(message(KEY)));
    awaitTrue(() -> server.batches().size() == 1);
    List<Future<HalfState>> failing = new ArrayList<>();
    failing.add(threads.submit(() -> half.prepare(message(stuck))));
    failing.add(threads.submit(() -> half.prepare(message(stuck))));
    Future<HalfState> right = threads.submit(() -> half.prepare(message(key("right"))));
    awaitTrue(() -> half.waiting() == 3);
    server.detour(
        (exchange, calls) -> {
          boolean any = calls.stream().anyMatch(call -> call.key().equals(stuck));
          if (any) {
            HalfStubServer.problem(exchange, 503, "STORE_FAILED", "it is held", "");
          }
          return any;
        });
    held.countDown();

    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.PREPARED);
    assertThat(right.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.PREPARED);
    for (Future<HalfState> each : failing) {
      assertThatThrownBy(() -> each.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StoreException.class)
          .hasMessageContaining("it is held")
          .hasMessageContaining("unknown");
    }
    assertThat(server.batches()).as("the held key is tried once").hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "401, UNAUTHENTICATED, io.angarium.half.NotPermittedException, do this; nothing took effect. Check what this application shows",
    "403, NOT_PERMITTED, io.angarium.half.NotPermittedException, do this; nothing took effect. Let its API key or token",
    "401, '', io.angarium.half.NotPermittedException, what its TokenSource gives",
    "403, '', io.angarium.half.NotPermittedException, a gateway perhaps: check the address",
    "422, INVALID, io.angarium.InvalidMessageException, do this",
    "413, TOO_LARGE, io.angarium.InvalidMessageException, do this",
    "429, TOO_MANY, io.angarium.StoreException, nothing took effect",
    "503, BUSY, io.angarium.StoreException, nothing took effect",
    "408, TOO_SLOW, io.angarium.StoreException, nothing took effect",
    "503, DATABASE_AWAY, io.angarium.StoreException, unknown: repeat the call",
    "503, STORE_FAILED, io.angarium.StoreException, unknown: repeat the call",
    "500, SURPRISE, io.angarium.StoreException, unknown: repeat the call",
    "404, '', io.angarium.StoreException, check the address",
  })
  void refusalSaysWhatToDo(int status, String code, Class<? extends Throwable> type, String text) {
    server.detour(
        (exchange, calls) -> {
          HalfStubServer.problem(exchange, status, code, "do this", "");
          return true;
        });

    assertThatThrownBy(() -> client().prepare(message(KEY)))
        .isInstanceOf(type)
        .hasMessageContaining(server.address())
        .hasMessageContaining(text);
    assertThat(server.batches()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "{\"answers\":[]}",
        "{\"answers\":[{\"state\":\"SOLD\"}]}",
        "{\"answers\":[{\"state\":\"PREPARED\"},{\"state\":\"PREPARED\"}]}",
        "{\"answers\":[{\"state\":\"PREPARED\"},7]}",
        "{\"answers\":[{\"state\":\"PREPARED\"}"
      })
  void answerThatIsNoneIsAFailureWithoutAnAnswer(String body) {
    server.detour(
        (exchange, calls) -> {
          HalfStubServer.answer(exchange, 200, body.getBytes(UTF_8));
          return true;
        });

    assertThatThrownBy(() -> client().prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("unknown: repeat the call");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[]", "[\"PREPARED\",\"COMMITTED\"]", "[\"PREPARED\",7]", "[\"PREPARED\""})
  void statesThatDoNotFitTheQuestionAreAFailure(String states) {
    byte[] body = ("{\"states\":" + states + "}").getBytes(UTF_8);

    assertThatThrownBy(() -> HalfAnswerReading.states(body, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void requestWhoseConnectionBrokeIsMadeOnceMore() {
    AtomicInteger broken = new AtomicInteger();
    server.detour(
        (exchange, calls) -> {
          if (broken.getAndIncrement() == 0) {
            real.callAll(calls); // it took effect, and the answer is lost
            throw new IOException("broken on purpose");
          }
          return false;
        });

    assertThat(client().prepare(message(KEY))).isEqualTo(HalfState.PREPARED);

    assertThat(server.batches()).hasSize(2);
  }

  @Test
  void callerWhoIsRefusedAfterItsConnectionBrokeIsNotToldThatNothingTookEffect() {
    AtomicInteger requests = new AtomicInteger();
    server.detour(
        (exchange, calls) -> {
          if (requests.getAndIncrement() == 0) {
            real.callAll(calls);
            throw new IOException("broken on purpose");
          }
          HalfStubServer.problem(exchange, 401, "UNAUTHENTICATED", "the key is gone", "");
          return true;
        });

    assertThatThrownBy(() -> client().prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasCauseInstanceOf(NotPermittedException.class)
        .hasMessageContaining("the key is gone; whether it took effect is unknown")
        .hasMessageContaining("Check what this application shows")
        .hasMessageNotContaining("nothing took effect");
  }

  @ParameterizedTest
  @CsvSource({"401, UNAUTHENTICATED", "403, NOT_PERMITTED", "422, INVALID", "429, TOO_MANY"})
  void refusalBehindARequestThatTookEffectSaysSo(int status, String code) {
    AtomicInteger requests = new AtomicInteger();
    server.detour(
        (exchange, calls) -> {
          boolean later = requests.getAndIncrement() > 0;
          if (later) {
            HalfStubServer.problem(exchange, status, code, "not any more", "");
          }
          return later;
        });
    List<HalfCall> calls = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      calls.add(new HalfCall.Prepare(message(key("" + i))));
    }

    assertThatThrownBy(() -> clientOf(1, 3, 1 << 20).callAll(calls))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("The first 3 calls took effect; ")
        .hasMessageContaining("not any more");

    assertThat(real.state(key("2"))).isEqualTo(HalfState.PREPARED);
    assertThat(real.state(key("3"))).isEqualTo(HalfState.UNKNOWN);
  }

  /** It is connected already, so that all of its short time is for the answer. */
  private HttpHalfMessages impatientClient() {
    HttpHalfMessages half =
        client(HttpHalfConfig.of(server.address()).answer(Duration.ofMillis(300)));
    awaitTrue(() -> isAnswered(half));
    return half;
  }

  private static boolean isAnswered(HttpHalfMessages half) {
    try {
      return half.prepare(message(key("connected"))) == HalfState.PREPARED;
    } catch (StoreException e) {
      return false; // the machine is busy
    }
  }

  /** A request may come after its caller has given it up. */
  private void assertOneRequestOf(HalfKey key) {
    String text = key.key();
    awaitTrue(() -> server.batches().stream().anyMatch(batch -> keys(batch).contains(text)));
    assertThat(server.batches().stream().map(HttpHalfFaultsTest::keys))
        .filteredOn(keys -> keys.contains(text))
        .as("not repeated: it would take as long")
        .hasSize(1);
  }

  @Test
  void serverThatDoesNotAnswerIsGivenUp() {
    HttpHalfMessages half = impatientClient();
    CountDownLatch over = new CountDownLatch(1);
    server.detour(
        (exchange, calls) -> {
          await(over);
          return true;
        });

    assertThatThrownBy(() -> half.prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no answer within 300ms")
        .hasMessageContaining("unknown: repeat the call");

    assertOneRequestOf(KEY);
    over.countDown();
  }

  @Test
  void answerThatBeginsAndDoesNotEndIsGivenUp() {
    HttpHalfMessages half = impatientClient();
    CountDownLatch over = new CountDownLatch(1);
    server.detour(
        (exchange, calls) -> {
          exchange.sendResponseHeaders(200, 10);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          await(over);
          return true;
        });

    assertThatThrownBy(() -> half.prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no answer within 300ms")
        .hasMessageContaining("unknown: repeat the call");

    assertOneRequestOf(KEY);
    over.countDown();
  }

  @Test
  void callerThatIsInterruptedHasItsAnswerAndIsToldOfTheInterruptAfterwards() throws Exception {
    CountDownLatch held = holdFirstRequest();
    HttpHalfMessages half = client();
    AtomicBoolean told = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              half.prepare(message(KEY));
              told.set(Thread.currentThread().isInterrupted());
            });
    caller.start();
    awaitTrue(() -> server.batches().size() == 1);

    caller.interrupt();
    awaitTrue(() -> server.batches().size() == 2);
    held.countDown();
    caller.join(PATIENCE.toMillis());

    assertThat(told).isTrue();
    assertThat(real.state(KEY)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void answerWithoutEndIsNotRead() {
    server.detour(
        (exchange, calls) -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(new byte[LimitedBytes.BYTES_MAX + 1]);
          return true;
        });

    assertThatThrownBy(() -> client().prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("an answer of more than " + LimitedBytes.BYTES_MAX + " bytes");
  }

  @Test
  void serverThatIsNotThereIsNamed() {
    int free = FreePort.find();
    HttpHalfMessages half = client(HttpHalfConfig.of("http://127.0.0.1:" + free));

    assertThatThrownBy(() -> half.commit(KEY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("http://127.0.0.1:" + free)
        .hasMessageContaining("ConnectException");
  }

  @Test
  void apiKeyIsSentAndNeverShows() {
    HttpHalfConfig config = HttpHalfConfig.of(server.address()).apiKey("hush-hush");

    client(config).prepare(message(KEY));

    assertThat(server.authorizations()).containsExactly("Bearer hush-hush");
    assertThat(config.toString()).contains("apiKey=set").doesNotContain("hush");
  }

  @Test
  void tokenIsFetchedForEachRequestAndNeverShows() {
    AtomicInteger fetched = new AtomicInteger();
    HttpHalfConfig config =
        HttpHalfConfig.of(server.address()).token(() -> "hush" + fetched.incrementAndGet());
    HttpHalfMessages half = client(config);

    half.prepare(message(KEY));
    half.commit(KEY);

    assertThat(server.authorizations()).containsExactly("Bearer hush1", "Bearer hush2");
    assertThat(config.toString()).contains("token=set").doesNotContain("hush");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "two words", "line\nbreak", "\u00fc"})
  void sourceWithoutATokenFailsTheCallAndNothingIsSent(String token) {
    HttpHalfMessages half =
        client(
            HttpHalfConfig.of(server.address())
                .token(
                    () -> {
                      if (token.isEmpty()) {
                        throw new IllegalArgumentException("the issuer is away");
                      }
                      return token;
                    }));

    assertThatThrownBy(() -> half.prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("nothing took effect")
        .hasMessageContaining(token.isEmpty() ? "the issuer is away" : "printable ASCII")
        .hasCauseInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> half.state(KEY)).isInstanceOf(StoreException.class);
    assertThat(server.batches()).isEmpty();
  }

  @Test
  void sourceThatThrowsAnErrorFailsTheCallAndNothingIsSent() {
    Error missing = new NoClassDefFoundError("com/example/Issuer");
    HttpHalfMessages half =
        client(
            HttpHalfConfig.of(server.address())
                .token(
                    () -> {
                      throw missing;
                    }));

    assertThatThrownBy(() -> half.prepare(message(KEY)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("no token of its source")
        .hasMessageContaining("NoClassDefFoundError: com/example/Issuer; repair it")
        .hasRootCause(missing);
    assertThat(server.batches()).isEmpty();
  }

  @Test
  void issuerThatIsAwayIsNoWrongToken() {
    server.detour(
        (exchange, calls) -> {
          HalfStubServer.problem(exchange, 503, HalfProblem.ISSUER_AWAY, "away", "");
          return true;
        });

    assertThatThrownBy(() -> client().commit(KEY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ISSUER_AWAY")
        .hasMessageContaining("nothing took effect")
        .hasMessageNotContaining("unknown");
  }

  @Test
  void textThatCannotBeSentFailsItsOwnCallBeforeItIsSent() {
    HalfMessage wrong =
        HalfMessage.of(KEY, Message.of("kafka:orders", new byte[0]).header("a", "\ud800"));

    assertThatThrownBy(() -> client().prepare(wrong)).isInstanceOf(InvalidMessageException.class);

    assertThat(server.batches()).isEmpty();
  }

  @Test
  void closedClientSaysSo() {
    HttpHalfMessages half = client();
    half.close();
    half.close();

    assertThatThrownBy(() -> half.commit(KEY))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("it is closed");
  }

  @Test
  void everyFaultOfTheConfigurationIsListed() {
    assertThatThrownBy(
            () ->
                new HttpHalfConfig(
                    "ftp://user:pass@x",
                    "with space",
                    () -> "token",
                    Duration.ZERO,
                    Duration.ofHours(1),
                    Limits.DEFAULTS))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.http.server")
        .hasMessageContaining("half.http.api-key")
        .hasMessageContaining("half.http.api-key: given (expected: none besides a token)")
        .hasMessageContaining("half.http.connect-timeout")
        .hasMessageContaining("half.http.timeout")
        .hasMessageNotContaining("pass@");
    assertThatThrownBy(() -> new Limits(0, 501, 1))
        .hasMessageContaining("half.http.requests: 0 (expected: 1..64)")
        .hasMessageContaining("half.http.batch-calls: 501 (expected: 1..500)")
        .hasMessageContaining("half.http.batch-bytes: 1 (expected: ");
  }

  private CountDownLatch holdFirstRequest() {
    CountDownLatch held = new CountDownLatch(1);
    server.detour(
        (exchange, calls) -> {
          await(held);
          return false;
        });
    return held;
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody let it go");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void awaitTrue(Condition condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }
}
