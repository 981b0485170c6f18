package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.half.TokenSource;
import io.angarium.half.internal.remote.HalfReply;
import io.angarium.intake.MessageIntake;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may go wrong between a client of half messages over Dubbo and its server. */
class DubboHalfMessagesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Served served = new Served();
  private final Loopback loopback = new Loopback();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private DubboServer server;
  private DubboHalfMessages half;

  @BeforeEach
  void start() {
    server = loopback.open().offer(new HalfMessagesOverDubbo(served));
    half = client(PATIENCE);
  }

  @AfterEach
  void stop() {
    served.gate.countDown();
    half.close();
    server.close();
    threads.shutdownNow();
  }

  private DubboHalfMessages client(Duration answer) {
    return DubboHalfMessages.open(
        new DubboHalfConfig(
            loopback.address(),
            "s3cret",
            null,
            "angarium",
            PATIENCE,
            answer,
            new DubboHalfConfig.Limits(1, 500, 1 << 20)),
        MessageIntake.of(null));
  }

  private static HalfKey key(int number) {
    return new HalfKey("order", "" + number);
  }

  private static HalfMessage message(int number) {
    return HalfMessage.of(key(number), Message.of("kafka:orders", ("" + number).getBytes(UTF_8)));
  }

  /** Half messages that can be held up, fail, and note what they were called with. */
  private static final class Served implements HalfMessages {
    final InMemoryHalfMessages real = new InMemoryHalfMessages(TimeSource.SYSTEM);
    final ConcurrentLinkedQueue<Integer> sizes = new ConcurrentLinkedQueue<>();
    final ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>();
    volatile CountDownLatch gate = new CountDownLatch(0);
    volatile @Nullable RuntimeException failure;
    volatile @Nullable HalfKey choking;

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      sizes.add(calls.size());
      keys.add(String.valueOf(RpcContext.getServerAttachment().getAttachment("angarium-api-key")));
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (failure != null) {
        throw failure;
      }
      if (calls.stream().anyMatch(call -> call.key().equals(choking))) {
        throw new InvalidMessageException("half message " + choking + ": too much of it");
      }
      return real.callAll(calls);
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return real.states(keys);
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private List<CompletableFuture<HalfState>> prepareMeanwhile(int count) {
    served.gate = new CountDownLatch(1);
    List<CompletableFuture<HalfState>> calls = new ArrayList<>();
    for (int i = 0; i <= count; i++) {
      int number = i;
      calls.add(CompletableFuture.supplyAsync(() -> half.prepare(message(number)), threads));
      int waiting = i;
      await(() -> half.waiting() == waiting && !served.sizes.isEmpty());
    }
    served.gate.countDown();
    return calls;
  }

  @Test
  void callsThatComeMeanwhileShareTheNextRequest() {
    List<CompletableFuture<HalfState>> calls = prepareMeanwhile(20);

    calls.forEach(call -> assertThat(call).succeedsWithin(PATIENCE).isEqualTo(HalfState.PREPARED));
    assertThat(served.sizes).containsExactly(1, 20);
  }

  @Test
  void callThatIsRefusedFailsItsOwnCallerOnly() {
    served.choking = key(3);
    List<CompletableFuture<HalfState>> calls = prepareMeanwhile(5);

    for (int i = 0; i < calls.size(); i++) {
      if (i == 3) {
        assertThat(calls.get(i))
            .failsWithin(PATIENCE)
            .withThrowableOfType(Exception.class)
            .withCauseInstanceOf(InvalidMessageException.class);
      } else {
        assertThat(calls.get(i)).succeedsWithin(PATIENCE);
      }
    }
  }

  @Test
  void keyGoesWithEachCallAndWithNoOtherOfTheThread() {
    RpcContext.getClientAttachment().setAttachment("tenant", "eu");

    half.prepare(message(1));
    half.prepare(message(2));

    assertThat(served.keys).containsExactly("s3cret", "s3cret");
    assertThat(RpcContext.getClientAttachment().getAttachment("tenant")).isEqualTo("eu");
    assertThat(RpcContext.getClientAttachment().getAttachment("angarium-api-key")).isNull();
    RpcContext.removeClientAttachment();
  }

  @Test
  void tokenIsAskedForWithEachRequest() {
    AtomicInteger asked = new AtomicInteger();
    try (DubboHalfMessages shown = client(() -> "token-" + asked.incrementAndGet())) {
      shown.prepare(message(1));
      shown.prepare(message(2));
    }

    assertThat(served.keys).containsExactly("token-1", "token-2");
  }

  @Test
  void withoutATokenNothingIsSent() {
    IllegalStateException away = new IllegalStateException("the issuer is away");
    TokenSource broken =
        () -> {
          throw away;
        };
    for (TokenSource source : List.<TokenSource>of(broken, () -> "two words", () -> "")) {
      try (DubboHalfMessages shown = client(source)) {
        assertThatThrownBy(() -> shown.prepare(message(1)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("no token of its source")
            .hasMessageContaining("nothing took effect");
      }
    }
    assertThat(served.sizes).isEmpty();
  }

  @Test
  void aSourceThatThrowsAnErrorFailsTheCall() {
    Error missing = new NoClassDefFoundError("com/example/Issuer");
    TokenSource broken =
        () -> {
          throw missing;
        };
    try (DubboHalfMessages shown = client(broken)) {
      assertThatThrownBy(() -> shown.prepare(message(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no token of its source")
          .hasMessageContaining("NoClassDefFoundError: com/example/Issuer; repair it")
          .hasRootCause(missing);
    }
    assertThat(served.sizes).isEmpty();
  }

  @Test
  void aTokenThatIsRefusedIsToldWithWhatToDo() {
    server.close();
    HalfMessagesOverDubbo strict =
        HalfMessagesOverDubbo.forCallers(
            () -> {
              throw new HalfServiceException(
                  HalfMessageService.UNAUTHENTICATED, "it has expired", List.of());
            });
    server = loopback.again().offer(strict);

    try (DubboHalfMessages shown = client(() -> "t0ken")) {
      assertThatThrownBy(() -> shown.prepare(message(1)))
          .isInstanceOf(NotPermittedException.class)
          .hasMessageContaining("UNAUTHENTICATED: it has expired; nothing took effect")
          .hasMessageContaining("what its TokenSource gives")
          .hasMessageNotContaining("t0ken");
    }
  }

  @Test
  void callerWhoIsRefusedAfterItsConnectionBrokeIsNotToldThatNothingTookEffect() {
    AtomicInteger attempts = new AtomicInteger();
    DubboHalfConnection.Call call =
        service -> {
          if (attempts.getAndIncrement() == 0) {
            throw new RpcException("the connection broke, perhaps behind a call that came through");
          }
          return service.callAll(List.of(Map.of("step", "commit")));
        };
    server.close();
    HalfMessagesOverDubbo strict =
        HalfMessagesOverDubbo.forCallers(
            () -> {
              throw new HalfServiceException(
                  HalfMessageService.UNAUTHENTICATED, "the key is gone", List.of());
            });
    server = loopback.again().offer(strict);

    try (DubboHalfConnection connection =
        new DubboHalfConnection(DubboHalfConfig.of(loopback.address()).answer(PATIENCE))) {
      assertThat(connection.call(call, answer -> List.of()))
          .isInstanceOfSatisfying(
              HalfReply.Failure.class,
              failure ->
                  assertThat(failure.exception())
                      .isInstanceOf(StoreException.class)
                      .hasCauseInstanceOf(NotPermittedException.class)
                      .hasMessageContaining("the key is gone; whether it took effect is unknown")
                      .hasMessageNotContaining("nothing took effect"));
    }
    assertThat(attempts).hasValue(2);
  }

  private DubboHalfMessages client(TokenSource source) {
    return DubboHalfMessages.open(
        DubboHalfConfig.of(loopback.address()).answer(PATIENCE).token(source),
        MessageIntake.of(null));
  }

  /** For Dubbo itself these are the address of the machine on the network. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "localhost"})
  void loopbackIsLoopback(String host) {
    String address = loopback.address().replace(Loopback.HOST, host);
    DubboHalfConfig config = DubboHalfConfig.of(address).answer(PATIENCE);
    try (DubboHalfMessages there = DubboHalfMessages.open(config, MessageIntake.of(null))) {
      assertThat(there.prepare(message(1))).isEqualTo(HalfState.PREPARED);
    }
  }

  @Test
  void whoCallsIsFoundOutBeforeARequestIsRead() {
    HalfMessagesOverDubbo service =
        HalfMessagesOverDubbo.forCallers(
            () -> {
              throw new HalfServiceException(
                  HalfMessageService.UNAUTHENTICATED, "who are you?", List.of());
            });

    assertThat(service.callAll(null)).containsEntry("code", "UNAUTHENTICATED");
    assertThat(service.states(List.of(Map.of("colour", "red"))))
        .containsEntry("detail", "who are you?");
  }

  @Test
  void serverThatWasRestartedIsReachedAtOnce() {
    half.prepare(message(1));
    server.close();
    assertThatThrownBy(() -> half.prepare(message(2)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("repeat the call");

    server = loopback.again().offer(new HalfMessagesOverDubbo(served));

    assertThat(half.prepare(message(2))).isEqualTo(HalfState.PREPARED);
    assertThat(half.commit(key(1))).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void answerThatIsLateIsUnknown() {
    served.gate = new CountDownLatch(1);
    try (DubboHalfMessages impatient = client(Duration.ofMillis(300))) {
      assertThatThrownBy(() -> impatient.prepare(message(1)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no answer within 300ms; whether it took effect is unknown");
      await(() -> !served.sizes.isEmpty()); // it may come after its caller has given it up
    }
    assertThat(served.sizes).as("not repeated").hasSize(1);
  }

  @Test
  void callerThatIsInterruptedGetsItsAnswerAndStaysInterrupted() throws Exception {
    served.gate = new CountDownLatch(1);
    CompletableFuture<HalfState> answered = new CompletableFuture<>();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              answered.complete(half.prepare(message(1)));
              interrupted.complete(Thread.interrupted());
            });
    caller.start();
    await(() -> !served.sizes.isEmpty());
    caller.interrupt();
    served.gate.countDown();

    assertThat(answered).succeedsWithin(PATIENCE).isEqualTo(HalfState.PREPARED);
    assertThat(interrupted).succeedsWithin(PATIENCE).isEqualTo(true);
    caller.join();
  }

  @Test
  void failureSaysWhatToDoAndNothingOfTheInside() {
    served.failure = new StoreException("jdbc:postgresql://secret is down", null);
    assertThatThrownBy(() -> half.prepare(message(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("STORE_FAILED")
        .hasMessageContaining("repeat the call")
        .hasMessageNotContaining("secret");
    served.failure = new IllegalStateException("a defect at secret");
    assertThatThrownBy(() -> half.prepare(message(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("FAILED")
        .hasMessageNotContaining("secret");
    served.failure = new NotPermittedException("not for you");
    assertThatThrownBy(() -> half.prepare(message(1)))
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("not for you");
    served.failure =
        new HalfServiceException(HalfMessageService.ISSUER_AWAY, "ask later", List.of());
    assertThatThrownBy(() -> half.prepare(message(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("ask later; nothing took effect");
    served.failure = new HalfServiceException(HalfMessageService.TOO_MANY, "slow down", List.of());
    assertThatThrownBy(() -> half.prepare(message(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("slow down; nothing took effect");
  }

  @Test
  void messageThatDoesNotFitIsNotSent() {
    byte[] large = new byte[DubboHalfConfig.Limits.BYTES_MAX + 1];
    HalfCall call = new HalfCall.Prepare(HalfMessage.of(key(1), Message.of("kafka:orders", large)));

    assertThatThrownBy(() -> half.callAll(List.of(call)))
        .isInstanceOf(InvalidMessageException.class);
    assertThat(served.sizes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fastjson2", "hessian2"})
  void genericClientNeedsNothingOfOurs(String serialization) {
    DubboApplication foreign = DubboApplication.open("foreign");
    try {
      ReferenceConfig<GenericService> reference = new ReferenceConfig<>(foreign.module());
      reference.setInterface(HalfMessageService.class.getName());
      reference.setGeneric("true");
      reference.setVersion(HalfMessageService.VERSION);
      reference.setUrl(loopback.address() + "?serialization=" + serialization);
      reference.setTimeout(60_000);
      GenericService service = reference.get();

      Object answer =
          invoke(
              service,
              "callAll",
              List.of(
                  Map.of(
                      "step",
                      "prepare",
                      "business",
                      "order",
                      "key",
                      "1",
                      "destination",
                      "kafka:a",
                      "text",
                      "süd",
                      "headers",
                      Map.of("tenant", "eu")),
                  Map.of(
                      "step",
                      "prepare",
                      "business",
                      "order",
                      "key",
                      "2",
                      "destination",
                      "kafka:a",
                      "payload",
                      Base64.getEncoder().encodeToString(new byte[] {1, 2})),
                  Map.of("step", "commit", "business", "order", "key", "1"),
                  Map.of("step", "commit", "business", "order", "key", "none")));
      Object states = invoke(service, "states", List.of(Map.of("business", "order", "key", "2")));
      Object wrong =
          invoke(
              service,
              "callAll",
              List.of(Map.of("step", "commit", "business", "order", "key", "1", "colour", "red")));

      assertThat(answer)
          .isEqualTo(
              Map.of(
                  "answers",
                  List.of(
                      Map.of("state", "PREPARED"),
                      Map.of("state", "PREPARED"),
                      Map.of("state", "COMMITTED"),
                      Map.of("state", "UNKNOWN", "refusal", "UNKNOWN"))));
      assertThat(states).isEqualTo(Map.of("states", List.of("PREPARED")));
      assertThat(wrong)
          .isEqualTo(
              Map.of(
                  "code",
                  "INVALID",
                  "detail",
                  "call 0: unknown field 'colour'",
                  "calls",
                  List.of(0)));
      assertThat(served.real.sent().get(0).payload()).isEqualTo("süd".getBytes(UTF_8));
      assertThat(served.real.sent().get(0).headers().get("tenant")).isEqualTo("eu");
    } finally {
      foreign.close();
    }
  }

  private static Object invoke(GenericService service, String method, List<?> argument) {
    return service.$invoke(method, new String[] {"java.util.List"}, new Object[] {argument});
  }

  @Test
  void everyWrongFieldIsNamedWithItsCall() {
    HalfMessagesOverDubbo service = new HalfMessagesOverDubbo(served);

    assertThat(service.callAll(null)).containsEntry("code", "INVALID");
    assertThat(service.callAll(List.of(Map.of("step", "sell", "business", "a", "key", "1"))))
        .containsEntry("detail", "call 0: step: 'sell' (expected: prepare, commit or rollback)");
    assertThat(service.callAll(List.of(decision("1"), Map.of("step", "commit", "key", "2"))))
        .containsEntry("detail", "call 1: business: missing (expected: a text)")
        .containsEntry("calls", List.of(1));
    assertThat(service.callAll(Collections.nCopies(501, decision("1"))))
        .containsEntry("code", "TOO_LARGE");
    assertThat(service.callAll(List.of(prepare("payload", "%%"))).get("detail").toString())
        .contains("no Base64");
    assertThat(service.callAll(List.of(prepare("delay", "soon"))).get("detail").toString())
        .contains("delay: 'soon'");
    assertThat(service.callAll(List.of(prepare("headers", Map.of("a", 1)))).get("detail"))
        .asString()
        .contains("header 'a': no text");
    assertThat(served.sizes).isEmpty();
  }

  private static Map<String, Object> decision(String key) {
    return Map.of("step", "commit", "business", "order", "key", key);
  }

  private static Map<String, Object> prepare(String field, Object value) {
    return Map.of(
        "step", "prepare", "business", "order", "key", "1", "destination", "kafka:a", field, value);
  }

  @Test
  void everyFaultOfTheConfigurationIsListedAndTheKeyNeverShows() {
    assertThatThrownBy(
            () ->
                new DubboHalfConfig(
                    "tri://centre:1",
                    "a key",
                    () -> "a token",
                    "a b",
                    Duration.ZERO,
                    Duration.ZERO,
                    DubboHalfConfig.Limits.DEFAULTS))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.faults()).hasSize(6))
        .hasMessageContaining("half.dubbo.server: 'tri://centre:1'")
        .hasMessageNotContaining("a key");
    assertThat(DubboHalfConfig.of("dubbo://centre:1").apiKey("s3cret").toString())
        .doesNotContain("s3cret");
  }

  @Test
  void nothingIsSentAfterTheClose() {
    half.close();
    half.close();

    assertThatThrownBy(() -> half.prepare(message(1)))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("it is closed; nothing took effect");
  }
}
