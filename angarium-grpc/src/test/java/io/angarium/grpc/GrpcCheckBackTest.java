package io.angarium.grpc;

import static io.angarium.grpc.HeldHalfMessages.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.grpc.v1.CheckBackGrpc;
import io.angarium.grpc.v1.CheckWire;
import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.testservers.FaultProxy;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Check-backs over a real network: what producers answer, and what happens when they do not. */
final class GrpcCheckBackTest {
  private static final String BUSINESS = "order-paid";

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    Collections.reverse(open);
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private ServedOverGrpc producer(CheckBack checkBack) {
    ServedOverGrpc served =
        ServedOverGrpc.start(
            threads -> new GrpcCheckBackService(Map.of(BUSINESS, checkBack), threads));
    open.add(served);
    return served;
  }

  private GrpcCheckBackTransport asking(GrpcCheckBackConfig config) {
    GrpcCheckBackTransport transport = GrpcCheckBackTransport.open(config);
    open.add(transport);
    return transport;
  }

  /** For answers that must come, however slow the machine is. */
  private static GrpcCheckBackConfig allowing(String... hosts) {
    return GrpcCheckBackConfig.allowing(hosts).timeout(Duration.ofMinutes(2));
  }

  private static String host(ServedOverGrpc producer) {
    return "127.0.0.1:" + producer.port();
  }

  private static URI address(ServedOverGrpc producer) {
    return URI.create("grpc://" + host(producer));
  }

  private static List<HalfKey> keys(String... keys) {
    return Arrays.stream(keys).map(key -> new HalfKey(BUSINESS, key)).toList();
  }

  private static List<CheckAnswer> answers(CompletionStage<List<CheckAnswer>> question)
      throws Exception {
    return GrpcHalfScene.await(question.toCompletableFuture());
  }

  /** The producer's marker check may take eight seconds, and the loop waits for so long. */
  @Test
  void questionHasAsMuchTimeAsTheLoopGivesIt() {
    assertThat(GrpcCheckBackConfig.allowing("shop:1").timeout())
        .isEqualTo(CheckBackConfig.DEFAULTS.timeout())
        .isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void everyVerdictComesBackInTheOrderOfTheKeys() throws Exception {
    ServedOverGrpc producer = producer(key -> Verdict.valueOf(key.key()));
    String[] names = Arrays.stream(Verdict.values()).map(Enum::name).toArray(String[]::new);

    List<CheckAnswer> answers =
        answers(asking(allowing(host(producer))).ask(address(producer), keys(names)));

    assertThat(answers)
        .containsExactlyElementsOf(Arrays.stream(Verdict.values()).map(CheckAnswer::of).toList());
    assertThat(producer.requests("Check")).isEqualTo(1);
  }

  @Test
  void questionMayHaveAsManyKeysAsTheTransportSays() throws Exception {
    ServedOverGrpc producer = producer(key -> Verdict.COMMITTED);
    GrpcCheckBackTransport transport = asking(allowing(host(producer)));
    String[] names =
        IntStream.range(0, transport.keysMax())
            .mapToObj(i -> "\u8ba2".repeat(250) + i)
            .toArray(String[]::new);

    assertThat(answers(transport.ask(address(producer), keys(names))))
        .hasSize(transport.keysMax())
        .containsOnly(CheckAnswer.of(Verdict.COMMITTED));
  }

  @Test
  void businessThatNobodyAnswersForIsUnreachableAndNotUnknown() throws Exception {
    ServedOverGrpc producer = producer(key -> Verdict.COMMITTED);

    List<CheckAnswer> answers =
        answers(
            asking(allowing(host(producer)))
                .ask(address(producer), List.of(new HalfKey("refund", "1"))));

    assertThat(answers)
        .containsExactly(
            new CheckAnswer(Verdict.UNREACHABLE, "nobody here answers for business 'refund'"));
  }

  @Test
  void checkBackThatFailsIsUnreachableAndItsExceptionStaysWithTheProducer() throws Exception {
    ServedOverGrpc producer =
        producer(
            key -> {
              throw new IllegalStateException("password of db-7");
            });

    List<CheckAnswer> answers =
        answers(asking(allowing(host(producer))).ask(address(producer), keys("1", "2")));

    assertThat(answers)
        .hasSize(2)
        .allSatisfy(
            answer -> {
              assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
              assertThat(answer.reason())
                  .contains("the log of the producer says why")
                  .doesNotContain("db-7", "IllegalState", "at io");
            });
  }

  @Test
  void checkBackThatMeetsAnErrorOfTheMachineIsUnreachableToo() throws Exception {
    ServedOverGrpc producer =
        producer(
            key -> {
              throw new NoClassDefFoundError("org/example/Missing");
            });

    List<CheckAnswer> answers =
        answers(asking(allowing(host(producer))).ask(address(producer), keys("1")));

    assertThat(answers)
        .singleElement()
        .satisfies(
            answer -> {
              assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
              assertThat(answer.reason()).contains("the log of the producer says why");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"too few", "null inside", "null"})
  void verdictsThatDoNotFitTheKeysAreUnreachable(String fault) throws Exception {
    ServedOverGrpc producer =
        producer(
            new CheckBack() {
              @Override
              public Verdict check(HalfKey key) {
                return Verdict.COMMITTED;
              }

              @Override
              public List<Verdict> checkAll(List<HalfKey> keys) {
                return switch (fault) {
                  case "too few" -> List.of(Verdict.COMMITTED);
                  case "null inside" -> Arrays.asList(Verdict.COMMITTED, null);
                  default -> null;
                };
              }
            });

    List<CheckAnswer> answers =
        answers(asking(allowing(host(producer))).ask(address(producer), keys("1", "2")));

    assertThat(answers).extracting(CheckAnswer::verdict).containsOnly(Verdict.UNREACHABLE);
  }

  @Test
  void producerThatIsNotThereIsUnreachable() throws Exception {
    FaultProxy proxy = FaultProxy.to("127.0.0.1", producer(key -> Verdict.COMMITTED).port());
    open.add(proxy);
    proxy.refuse();
    int port = proxy.port();

    List<CheckAnswer> answers =
        answers(
            asking(allowing("127.0.0.1:" + port))
                .ask(URI.create("grpc://127.0.0.1:" + port), keys("1", "2")));

    assertThat(answers)
        .hasSize(2)
        .allSatisfy(
            answer -> {
              assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
              assertThat(answer.reason()).startsWith("127.0.0.1:" + port + ": UNAVAILABLE");
            });
  }

  @Test
  void producerThatDoesNotAnswerIsNotWaitedForLongerThanConfigured() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    open.add(end::countDown);
    ServedOverGrpc producer = producer(key -> waited(end));

    List<CheckAnswer> answers =
        answers(
            asking(allowing(host(producer)).timeout(Duration.ofMillis(300)))
                .ask(address(producer), keys("1")));

    assertThat(answers)
        .singleElement()
        .extracting(CheckAnswer::verdict)
        .isEqualTo(Verdict.UNREACHABLE);
    assertThat(answers.get(0).reason()).contains("DEADLINE_EXCEEDED");
  }

  private static Verdict waited(CountDownLatch end) throws InterruptedException {
    return end.await(1, TimeUnit.MINUTES) ? Verdict.COMMITTED : Verdict.UNKNOWN;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "grpc://127.0.0.1:1",
        "grpc://localhost:PORT",
        "grpc://127.0.0.1",
        "grpc://127.0.0.1:0PORT",
        "grpc://shop@127.0.0.1:PORT",
        "grpc://127.0.0.1:PORT/path",
        "grpc://127.0.0.1:PORT?query",
        "grpc://127.0.0.1:PORT#fragment",
        "grpc:127.0.0.1:PORT",
        "unix:///var/run/shop",
        "http://127.0.0.1:PORT",
        "dns:///127.0.0.1:PORT",
        "grpc://127.0.0.1:99999"
      })
  void addressThatIsNotAllowedIsNotAsked(String address) throws Exception {
    ServedOverGrpc producer = producer(key -> Verdict.COMMITTED);
    GrpcCheckBackTransport transport = asking(allowing(host(producer)));
    URI refused = URI.create(address.replace("PORT", "" + producer.port()));

    assertThat(transport.refusal(BUSINESS, refused)).isPresent();
    assertThat(answers(transport.ask(refused, keys("1"))))
        .singleElement()
        .extracting(CheckAnswer::verdict)
        .isEqualTo(Verdict.UNREACHABLE);

    assertThat(producer.requests("Check")).isZero();
  }

  @Test
  void hostsAreAllowedForTheirBusinessOrForAll() {
    GrpcCheckBackTransport transport =
        asking(
            GrpcCheckBackConfig.allowing(
                Map.of("*", Set.of("All:1"), BUSINESS, Set.of("shop.example:9090", "[::1]:7"))));

    assertThat(transport.refusal(BUSINESS, URI.create("grpc://all:1"))).isEmpty();
    assertThat(transport.refusal("refund", URI.create("grpcs://ALL:1/"))).isEmpty();
    assertThat(transport.refusal(BUSINESS, URI.create("GRPC://Shop.Example:9090"))).isEmpty();
    assertThat(transport.refusal(BUSINESS, URI.create("grpc://[::1]:7"))).isEmpty();
    assertThat(transport.refusal("refund", URI.create("grpc://shop.example:9090")))
        .hasValueSatisfying(
            reason ->
                assertThat(reason).contains("shop.example:9090", "refund").doesNotContain("All:1"));
    assertThat(transport.schemes()).containsExactlyInAnyOrder("grpc", "grpcs");
  }

  @Test
  void wrongConfigurationIsRefusedWithAllItsFaults() {
    assertThatThrownBy(
            () ->
                new GrpcCheckBackConfig(
                    Map.of(BUSINESS, Set.of("*.example:1", "shop", "shop:0")), Duration.ZERO, 0, 0))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "'*.example:1'", "'shop'", "'shop:0'", "timeout", "channels", "questions");
    assertThatThrownBy(GrpcCheckBackConfig::allowing)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("allowed-hosts: none");
  }

  @Test
  void verdictOfALaterVersionIsUnreachableForItsKeyOnly() throws Exception {
    ServedOverGrpc producer =
        stranger(
            CheckWire.CheckResponse.newBuilder()
                .addAnswers(CheckWire.Checked.newBuilder().setVerdictValue(99))
                .addAnswers(CheckWire.Checked.newBuilder().setReason("none"))
                .addAnswers(
                    CheckWire.Checked.newBuilder()
                        .setVerdict(CheckWire.Verdict.VERDICT_IN_FLIGHT)
                        .setReason("line\nbreak " + "x".repeat(1_000)))
                .build());

    List<CheckAnswer> answers =
        answers(asking(allowing(host(producer))).ask(address(producer), keys("1", "2", "3")));

    assertThat(answers)
        .extracting(CheckAnswer::verdict)
        .containsExactly(Verdict.UNREACHABLE, Verdict.UNREACHABLE, Verdict.IN_FLIGHT);
    assertThat(answers.get(0).reason()).contains("verdict 99");
    assertThat(answers.get(2).reason()).startsWith("line break xxx").hasSize(Excerpt.LENGTH_MAX);
  }

  @Test
  void answersThatDoNotFitTheKeysAreUnreachable() throws Exception {
    ServedOverGrpc producer =
        stranger(
            CheckWire.CheckResponse.newBuilder()
                .addAnswers(
                    CheckWire.Checked.newBuilder().setVerdict(CheckWire.Verdict.VERDICT_COMMITTED))
                .build());

    List<CheckAnswer> answers =
        answers(asking(allowing(host(producer))).ask(address(producer), keys("1", "2")));

    assertThat(answers)
        .hasSize(2)
        .allSatisfy(
            answer -> {
              assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
              assertThat(answer.reason()).contains("1 answers for 2 keys");
            });
  }

  private ServedOverGrpc stranger(CheckWire.CheckResponse response) {
    ServedOverGrpc served =
        ServedOverGrpc.start(
            threads ->
                new CheckBackGrpc.CheckBackImplBase() {
                  @Override
                  public void check(
                      CheckWire.CheckRequest request, StreamObserver<CheckWire.CheckResponse> to) {
                    to.onNext(response);
                    to.onCompleted();
                  }
                });
    open.add(served);
    return served;
  }

  @Test
  void channelsAreKeptAndTheLeastUsedIsClosedAfterItsAnswers() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    List<ServedOverGrpc> producers =
        List.of(
            producer(key -> waited(end)),
            producer(key -> Verdict.COMMITTED),
            producer(key -> Verdict.COMMITTED));
    List<ManagedChannel> channels = new ArrayList<>();
    GrpcCheckBackTransport transport =
        new GrpcCheckBackTransport(
            allowing(producers.stream().map(GrpcCheckBackTest::host).toArray(String[]::new))
                .channels(2),
            address -> {
              ManagedChannel channel =
                  GrpcCheckBackTransport.channel(address, InsecureChannelCredentials.create());
              channels.add(channel);
              return channel;
            });
    open.add(transport);

    CompletionStage<List<CheckAnswer>> slow = transport.ask(address(producers.get(0)), keys("1"));
    for (int i = 0; i < 10; i++) {
      assertThat(answers(transport.ask(address(producers.get(1)), keys("1"))))
          .containsExactly(CheckAnswer.of(Verdict.COMMITTED));
    }
    assertThat(channels).hasSize(2).noneMatch(ManagedChannel::isShutdown);
    CompletionStage<List<CheckAnswer>> third = transport.ask(address(producers.get(2)), keys("1"));

    assertThat(answers(third)).containsExactly(CheckAnswer.of(Verdict.COMMITTED));
    assertThat(channels).extracting(ManagedChannel::isShutdown).containsExactly(true, false, false);
    assertThat(channels.get(0).isTerminated()).isFalse();
    end.countDown();
    assertThat(answers(slow)).containsExactly(CheckAnswer.of(Verdict.COMMITTED));
    assertThat(channels.get(0).awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void questionsBeyondTheLimitAreUnreachableAtOnce() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ServedOverGrpc producer = producer(key -> waited(end));
    GrpcCheckBackTransport transport = asking(allowing(host(producer)).questions(1));
    CompletionStage<List<CheckAnswer>> first = transport.ask(address(producer), keys("1"));

    assertThat(answers(transport.ask(address(producer), keys("2"))).get(0).reason())
        .contains("too many questions");

    end.countDown();
    assertThat(answers(first)).containsExactly(CheckAnswer.of(Verdict.COMMITTED));
    assertThat(answers(transport.ask(address(producer), keys("3"))))
        .containsExactly(CheckAnswer.of(Verdict.COMMITTED));
  }

  @Test
  void producerWithTooManyQuestionsIsUnreachable() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ServedOverGrpc producer =
        ServedOverGrpc.start(
            threads ->
                new GrpcCheckBackService(
                    Map.of(
                        BUSINESS,
                        key -> {
                          asked.incrementAndGet();
                          return waited(end);
                        }),
                    threads,
                    1));
    open.add(producer);
    GrpcCheckBackTransport transport = asking(allowing(host(producer)));
    CompletionStage<List<CheckAnswer>> first = transport.ask(address(producer), keys("1"));
    until(() -> asked.get() == 1);

    assertThat(answers(transport.ask(address(producer), keys("2"))).get(0).reason())
        .contains("RESOURCE_EXHAUSTED");

    end.countDown();
    assertThat(answers(first)).containsExactly(CheckAnswer.of(Verdict.COMMITTED));
  }

  @Test
  void closingMakesWhatIsUnderWayAndWhatComesLaterUnreachable() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    open.add(end::countDown);
    ServedOverGrpc producer = producer(key -> waited(end));
    GrpcCheckBackTransport transport = asking(allowing(host(producer)));
    CompletionStage<List<CheckAnswer>> underWay = transport.ask(address(producer), keys("1"));

    transport.close();
    transport.close();

    assertThat(answers(underWay))
        .extracting(CheckAnswer::verdict)
        .containsExactly(Verdict.UNREACHABLE);
    assertThat(answers(transport.ask(address(producer), keys("1"))).get(0).reason())
        .contains("closed");
  }

  @Test
  void plainProducerIsNotAskedAsASecureOne() throws Exception {
    ServedOverGrpc producer = producer(key -> Verdict.COMMITTED);

    List<CheckAnswer> answers =
        answers(
            asking(allowing(host(producer)))
                .ask(URI.create("grpcs://" + host(producer)), keys("1")));

    assertThat(answers).extracting(CheckAnswer::verdict).containsExactly(Verdict.UNREACHABLE);
    assertThat(producer.requests("Check")).isZero();
  }
}
