package io.angarium.dubbo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.trustmessage.middlewareapi.service.VerifyMessageService;
import io.angarium.ConfigurationException;
import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real producers over Dubbo. */
class DubboCheckBackTest {
  private static final String BUSINESS = "7";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Loopback loopback = new Loopback();
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<AutoCloseable> opened = new ArrayList<>();
  private DubboCheckBackTransport transport;

  @BeforeEach
  void start() {
    transport = open(DubboCheckBackConfig.allowing(loopback.address()).answer(PATIENCE));
  }

  private DubboCheckBackTransport open(DubboCheckBackConfig config) {
    DubboCheckBackTransport other = DubboCheckBackTransport.open("message-centre", config);
    opened.add(other);
    return other;
  }

  @AfterEach
  void stop() throws Exception {
    released.countDown();
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private void producer(VerifyMessageService service) {
    opened.add(loopback.open().offer(service, "1.0.0"));
  }

  private void producer(CheckBack checkBack) {
    producer(new CheckBackService(Map.of(BUSINESS, checkBack)));
  }

  private CheckAnswer ask() throws Exception {
    return ask(loopback.address() + "?version=1.0.0", BUSINESS);
  }

  private CheckAnswer ask(String address, String business) throws Exception {
    return ask(transport, address, business);
  }

  private static CheckAnswer ask(DubboCheckBackTransport transport, String address, String business)
      throws Exception {
    return transport
        .ask(URI.create(address), List.of(new HalfKey(business, "süd 1")))
        .toCompletableFuture()
        .get(2 * PATIENCE.toSeconds(), SECONDS)
        .get(0);
  }

  @ParameterizedTest
  @CsvSource({"1, UNKNOWN", "2, COMMITTED", "3, ROLLED_BACK", "4, UNKNOWN", "-1, UNKNOWN"})
  void numberOfATrustMessageProducerIsAVerdict(int number, Verdict verdict) throws Exception {
    List<String> asked = new ArrayList<>();
    producer(
        (business, key) -> {
          asked.add(business + " " + key);
          return number;
        });

    CheckAnswer answer = ask();

    assertThat(answer.verdict()).as(answer.toString()).isEqualTo(verdict);
    assertThat(answer.reason() == null).isEqualTo(verdict.isFinal());
    assertThat(asked).containsExactly("7 süd 1");
  }

  @ParameterizedTest
  @CsvSource({
    "COMMITTED, COMMITTED",
    "ROLLED_BACK, ROLLED_BACK",
    "IN_FLIGHT, UNKNOWN",
    "UNKNOWN, UNKNOWN",
    "UNREACHABLE, UNREACHABLE"
  })
  void verdictOfOurProducerArrives(Verdict said, Verdict arrived) throws Exception {
    producer((HalfKey key) -> said);

    assertThat(ask().verdict()).isEqualTo(arrived);
  }

  @Test
  void placesAreOriginsAndSoAreTheServicesThatARegistryKnows() {
    DubboCheckBackTransport one = open(DubboCheckBackConfig.allowing("dubbo://shop:1"));

    assertThat(one.origin(URI.create("dubbo://Shop:1?version=1.0.0&group=a")))
        .isEqualTo(one.origin(URI.create("dubbo://shop:1?group=b")));
    assertThat(one.origin(URI.create("zookeeper://zk:2181?group=a")))
        .isNotEqualTo(one.origin(URI.create("zookeeper://zk:2181?group=b")));
  }

  /** The producer's marker check may take eight seconds, and the loop waits for so long. */
  @Test
  void questionHasAsMuchTimeAsTheLoopGivesIt() {
    assertThat(DubboCheckBackConfig.allowing("dubbo://shop:1").answer())
        .isEqualTo(CheckBackConfig.DEFAULTS.timeout())
        .isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void checkBackThatFailsIsUnreachableAndTellsNothingOfItsInside() throws Exception {
    producer(
        (HalfKey key) -> {
          throw new IllegalStateException("the password is secret");
        });

    CheckAnswer answer = ask();

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("cannot be found out now").doesNotContain("secret");
  }

  @Test
  void businessThatNobodyAnswersForIsUnreachable() throws Exception {
    producer((HalfKey key) -> Verdict.COMMITTED);

    CheckAnswer answer = ask(loopback.address() + "?version=1.0.0", "8");

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("nobody here answers for business '8'");
  }

  @Test
  void producerThatIsAwayIsUnreachableAndAskedAgainWhenItIsBack() throws Exception {
    CheckAnswer away = ask();
    producer((HalfKey key) -> Verdict.COMMITTED);

    CheckAnswer back = ask();

    assertThat(away.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(away.reason()).startsWith(loopback.address()).contains("cannot be asked");
    assertThat(back.verdict()).as(back.toString()).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void producerThatHangsIsUnreachableAfterTheTimeOut() throws Exception {
    producer(
        (HalfKey key) -> {
          released.await();
          return Verdict.COMMITTED;
        });
    DubboCheckBackTransport hasty =
        open(DubboCheckBackConfig.allowing(loopback.address()).answer(Duration.ofMillis(500)));

    CheckAnswer answer = ask(hasty, loopback.address() + "?version=1.0.0", BUSINESS);

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
  }

  @Test
  void producerOverTripleIsAsked() throws Exception {
    Loopback triple = new Loopback("tri");
    CheckBackService answers = new CheckBackService(Map.of(BUSINESS, key -> Verdict.ROLLED_BACK));
    opened.add(triple.open().offer(answers, "1.0.0"));
    DubboCheckBackTransport other =
        open(DubboCheckBackConfig.allowing(triple.address()).answer(PATIENCE));

    CheckAnswer answer = ask(other, triple.address() + "?version=1.0.0", BUSINESS);

    assertThat(answer.verdict()).as(answer.toString()).isEqualTo(Verdict.ROLLED_BACK);
  }

  @Test
  void otherVersionIsUnreachable() throws Exception {
    producer((HalfKey key) -> Verdict.COMMITTED);

    assertThat(ask(loopback.address() + "?version=2.0.0", BUSINESS).verdict())
        .isEqualTo(Verdict.UNREACHABLE);
    assertThat(ask().verdict()).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void producerThatHangsHoldsUpNobodyElse() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    producer(
        (HalfKey key) -> {
          asked.countDown();
          released.await();
          return Verdict.COMMITTED;
        });
    Loopback elsewhere = new Loopback();
    CheckBackService answers = new CheckBackService(Map.of(BUSINESS, key -> Verdict.COMMITTED));
    opened.add(elsewhere.open().offer(answers, "1.0.0"));
    DubboCheckBackTransport both =
        open(
            DubboCheckBackConfig.allowing(loopback.address(), elsewhere.address())
                .answer(PATIENCE));
    CompletionStage<List<CheckAnswer>> hanging =
        both.ask(
            URI.create(loopback.address() + "?version=1.0.0"), List.of(new HalfKey(BUSINESS, "1")));
    assertThat(asked.await(PATIENCE.toSeconds(), SECONDS)).isTrue();

    CheckAnswer other = ask(both, elsewhere.address() + "?version=1.0.0", BUSINESS);

    assertThat(other.verdict()).isEqualTo(Verdict.COMMITTED);
    assertThat(hanging.toCompletableFuture()).isNotDone();
  }

  @Test
  void otherInterfaceIsAskedIfConfigured() throws Exception {
    producer((HalfKey key) -> Verdict.COMMITTED);
    DubboCheckBackTransport other =
        open(
            DubboCheckBackConfig.allowing(loopback.address())
                .service("org.example.Elsewhere", "outcome"));

    assertThat(ask(other, loopback.address() + "?version=1.0.0", BUSINESS).verdict())
        .isEqualTo(Verdict.UNREACHABLE);
  }

  @Test
  void closingEndsWhatIsUnderWay() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    producer(
        (HalfKey key) -> {
          asked.countDown();
          released.await();
          return Verdict.COMMITTED;
        });
    CompletionStage<List<CheckAnswer>> answer =
        transport.ask(
            URI.create(loopback.address() + "?version=1.0.0"), List.of(new HalfKey("7", "1")));
    assertThat(asked.await(PATIENCE.toSeconds(), SECONDS)).isTrue();

    transport.close();
    transport.close();

    assertThat(answer.toCompletableFuture().get(PATIENCE.toSeconds(), SECONDS).get(0).reason())
        .contains("closed");
    assertThat(ask().reason()).contains("closed");
  }

  @ParameterizedTest
  @CsvSource({
    "dubbo://elsewhere:1, is not allowed for check-backs of 7",
    "zookeeper://elsewhere:1, is not allowed for check-backs of 7",
    "dubbo://shop:1/path, no address for a check-back",
    "dubbo://shop:1?timeout=99999, no address for a check-back",
    "dubbo://shop:1?version=1&version=2, no address for a check-back",
    "'dubbo://shop:1,elsewhere:2', no address for a check-back",
    "http://shop:1, no address for a check-back"
  })
  void addressThatIsNotAllowedIsRefusedAndNotAsked(String address, String reason) throws Exception {
    DubboCheckBackTransport one = open(DubboCheckBackConfig.allowing("dubbo://shop:1"));

    assertThat(one.refusal(BUSINESS, URI.create(address)).orElseThrow()).contains(reason);
    assertThat(ask(one, address, BUSINESS).reason()).contains(reason);
    assertThat(one.refusal(BUSINESS, URI.create("dubbo://SHOP:1?version=1&group=a"))).isEmpty();
  }

  @Test
  void everyPlaceOfARegistryMustBeAllowed() {
    DubboCheckBackTransport one =
        open(DubboCheckBackConfig.allowing("zookeeper://a", "zookeeper://b:2182"));

    assertThat(one.refusal(BUSINESS, URI.create("zookeeper://a:2181,b:2182?version=1"))).isEmpty();
    assertThat(one.refusal(BUSINESS, URI.create("zookeeper://a:2181,c:2181"))).isPresent();
  }

  @Test
  void addressesAreAllowedForABusiness() {
    DubboCheckBackTransport two =
        open(
            DubboCheckBackConfig.allowing(
                Map.of("7", Set.of("dubbo://a:1"), "*", Set.of("dubbo://all:1"))));

    assertThat(two.refusal("7", URI.create("dubbo://a:1"))).isEmpty();
    assertThat(two.refusal("7", URI.create("dubbo://all:1"))).isEmpty();
    assertThat(two.refusal("8", URI.create("dubbo://a:1"))).isPresent();
    assertThat(two.refusal("8", URI.create("dubbo://all:1"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"order-paid", "007", "99999999999", "+7"})
  void businessThatIsNoIntegerIsRefused(String business) throws Exception {
    CheckAnswer answer = ask(loopback.address(), business);

    assertThat(answer.verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(answer.reason()).contains("expected: an integer");
  }

  @Test
  void wrongConfigurationListsAllFaults() {
    assertThatThrownBy(
            () ->
                new DubboCheckBackConfig(
                    Map.of("7", Set.of("shop:1", "dubbo://a:1?version=1")),
                    Duration.ZERO,
                    0,
                    " ",
                    ""))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContainingAll(
            "check-back.dubbo.allowed-addresses-of.7: 'shop:1'",
            "'dubbo://a:1?version=1'",
            "check-back.dubbo.timeout",
            "check-back.dubbo.max-references",
            "check-back.dubbo.interface",
            "check-back.dubbo.method");
    assertThatThrownBy(() -> DubboCheckBackConfig.allowing())
        .hasMessageContaining("at least one address");
  }
}
