package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import com.example.trustmessage.middlewareapi.common.MiddlewareMessage.VerifyInfo;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TrustMessageServiceTest {
  private static final HalfKey KEY = new HalfKey("7", "1");

  private final InMemoryHalfMessages half = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final TrustMessageService service = new TrustMessageService(half, "kafka");

  /** Keeps what is prepared. */
  private static final class Prepared implements HalfMessages {
    private final List<HalfCall.Prepare> calls = new ArrayList<>();

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> all) {
      all.forEach(call -> calls.add((HalfCall.Prepare) call));
      return all.stream()
          .map(call -> HalfAnswer.of(call.key(), HalfState.UNKNOWN.after(HalfStep.PREPARE)))
          .toList();
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return Map.of();
    }

    @Nullable URI checkBack() {
      return calls.get(0).message().checkBack();
    }
  }

  /** Refuses every address but one. */
  private record OneAddress(String allowed) implements CheckBackTransport {
    @Override
    public Set<String> schemes() {
      return Set.of("dubbo");
    }

    @Override
    public int keysMax() {
      return 1;
    }

    @Override
    public Optional<String> refusal(String business, URI address) {
      return address.toString().equals(allowed)
          ? Optional.empty()
          : Optional.of("not allowed for " + business);
    }

    @Override
    public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
      throw new AssertionError("nobody asks here");
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  @Test
  void validPrepareIsAccepted() {
    assertSuccess(service.prepareMessage(TrustMessages.whole("1")));

    assertThat(half.state(KEY)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void committedMessageGoesToTheTopicUnderTheKeyAsUtf8() {
    service.prepareMessage(TrustMessages.whole("1"));

    assertSuccess(service.commitMessage(TrustMessages.bare("1")));

    assertThat(half.sent())
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(
            Message.of("kafka:orders", "{\"paid\":\"süd\"}".getBytes(UTF_8)).key("customer-1"));
  }

  @Test
  void topicCannotNameAnotherTransport() {
    MiddlewareMessage message = TrustMessages.whole("1");
    message.setForwardTopic("http:https://elsewhere/");

    assertRefused(1000, service.prepareMessage(message));
  }

  @Test
  void messageWithoutAForwardKeyHasNoKey() {
    MiddlewareMessage message = TrustMessages.whole("1");
    message.setForwardKey("");
    service.prepareMessage(message);

    service.commitMessage(message);

    assertThat(half.sent().get(0).key()).isNull();
  }

  @Test
  void rolledBackMessageIsNeverSent() {
    service.prepareMessage(TrustMessages.whole("1"));

    assertSuccess(service.rollBackMessage(TrustMessages.bare("1")));

    assertThat(half.state(KEY)).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(half.sent()).isEmpty();
  }

  @Test
  void repeatedCallsAnswerTheSameAndSendOnce() {
    assertSuccess(service.prepareMessage(TrustMessages.whole("1")));
    assertSuccess(service.prepareMessage(TrustMessages.whole("1")));
    assertSuccess(service.commitMessage(TrustMessages.bare("1")));
    assertSuccess(service.commitMessage(TrustMessages.bare("1")));
    service.prepareMessage(TrustMessages.whole("2"));
    assertSuccess(service.rollBackMessage(TrustMessages.bare("2")));
    assertSuccess(service.rollBackMessage(TrustMessages.bare("2")));

    assertThat(half.sent()).hasSize(1);
  }

  @Test
  void unknownMessageIsRefusedWithItsCode() {
    assertRefused(1001, service.commitMessage(TrustMessages.bare("1")));
    assertRefused(1001, service.rollBackMessage(TrustMessages.bare("1")));
  }

  @Test
  void oppositeOfAFinalStateIsRefusedWithItsCode() {
    service.prepareMessage(TrustMessages.whole("1"));
    service.commitMessage(TrustMessages.bare("1"));
    service.prepareMessage(TrustMessages.whole("2"));
    service.rollBackMessage(TrustMessages.bare("2"));

    assertRefused(1002, service.rollBackMessage(TrustMessages.bare("1")));
    assertRefused(1003, service.commitMessage(TrustMessages.bare("2")));
    assertThat(half.sent()).hasSize(1);
  }

  @Test
  void prepareOfADecidedKeyIsRefusedAsItsMessageWouldNeverBeSent() {
    service.prepareMessage(TrustMessages.whole("1"));
    service.commitMessage(TrustMessages.bare("1"));
    service.prepareMessage(TrustMessages.whole("2"));
    service.rollBackMessage(TrustMessages.bare("2"));

    assertRefused(1002, service.prepareMessage(TrustMessages.whole("1")));
    assertRefused(1003, service.prepareMessage(TrustMessages.whole("2")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void fieldThatIsMissingOrWrongIsNamed(String named, Consumer<MiddlewareMessage> fault) {
    MiddlewareMessage message = TrustMessages.whole("1");
    fault.accept(message);

    MessageResponse response = service.prepareMessage(message);

    assertRefused(1000, response);
    assertThat(response.getMessage()).contains(named + ": ");
    assertThat(half.state(KEY)).isEqualTo(HalfState.UNKNOWN);
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        fault("message", message -> message.setMessage(null)),
        fault("messageKey", message -> message.setMessageKey(null)),
        fault("messageKey", message -> message.setMessageKey(" ")),
        fault("messageKey", message -> message.setMessageKey("k".repeat(256))),
        fault("forwardTopic", message -> message.setForwardTopic("")),
        fault("forwardTopic", message -> message.setForwardTopic("t".repeat(600))),
        fault("verifyInfo", message -> message.setVerifyInfo(null)),
        fault("verifyInfo.protocolType", info(3, null, null, "http://shop/", null)),
        fault("verifyInfo.url", info(1, null, null, null, null)),
        fault("verifyInfo.url", info(1, null, null, "file:///etc/passwd", null)),
        fault("verifyInfo.url", info(1, null, null, "http://shop/a b", null)),
        fault("verifyInfo.url", info(2, null, null, "http://shop:80", null)),
        fault("verifyInfo.url", info(2, null, null, "dubbo://shop:99999", null)),
        fault("verifyInfo.url", info(2, null, null, "dubbo://shop:1", "1&timeout=1")),
        fault("verifyInfo.url", info(2, "zookeeper", null, null, null)),
        fault("registryAddress", info(2, "etcd", "zk:2181", null, null)));
  }

  private static Arguments fault(String named, Consumer<MiddlewareMessage> fault) {
    return Arguments.of(named, fault);
  }

  private static Consumer<MiddlewareMessage> info(
      int protocol,
      @Nullable String registry,
      @Nullable String address,
      @Nullable String url,
      @Nullable String version) {
    VerifyInfo info = new VerifyInfo(protocol, registry, address, url, version);
    return message -> message.setVerifyInfo(info);
  }

  @Test
  void messageThatBreaksALimitIsRefusedWithItsCode() {
    MiddlewareMessage message = TrustMessages.whole("1");
    message.setMessage("x".repeat(10_000_000));

    assertRefused(1000, service.prepareMessage(message));
  }

  @Test
  void missingMessageIsRefusedWithItsCode() {
    assertRefused(1000, service.prepareMessage(null));
    assertRefused(1000, service.commitMessage(null));
    assertRefused(1000, service.rollBackMessage(new MiddlewareMessage()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("addresses")
  void onlyWhatItsProtocolNeedsMakesTheAddressOfTheCheckBack(
      String address, Consumer<MiddlewareMessage> info) {
    Prepared prepared = new Prepared();
    MiddlewareMessage message = TrustMessages.whole("1");
    info.accept(message);

    assertSuccess(new TrustMessageService(prepared, "kafka").prepareMessage(message));

    assertThat(prepared.checkBack()).hasToString(address);
  }

  static Stream<Arguments> addresses() {
    String http = "http://shop:8082/verify?a=b";
    String dubbo = "dubbo://localhost:12346";
    String registry = "zookeeper://zk:2181?version=1.0.0";
    return Stream.of(
        Arguments.of("trustmessage+" + http, info(1, null, null, http, null)),
        Arguments.of(dubbo, info(2, null, null, dubbo, null)),
        Arguments.of(dubbo + "?version=1.0.0", info(2, "zookeeper", "zk:1", dubbo, "1.0.0")),
        Arguments.of(dubbo + "?version=2", info(2, "", "", dubbo + "/a.B?version=2&x=y", " ")),
        Arguments.of("dubbo://shop:20880", info(2, null, null, "shop", null)),
        Arguments.of("tri://shop:50051?version=1", info(2, null, null, "tri://shop", "1")),
        Arguments.of(registry, info(2, "zookeeper", "zk:2181", null, "1.0.0")),
        Arguments.of(registry, info(2, null, "zookeeper://zk", "", "1.0.0")),
        Arguments.of(
            "zookeeper://a:2181,b:2182",
            info(2, "zookeeper", "zookeeper://a:2181?backup=b:2182", "", null)));
  }

  private static void assertSuccess(MessageResponse response) {
    assertThat(response.getCode()).as(response.toString()).isEqualTo(200);
    assertThat(response.getData().isResult()).isTrue();
  }

  private static void assertRefused(int code, MessageResponse response) {
    assertThat(response.getCode()).as(response.toString()).isEqualTo(code);
    assertThat(response.getMessage()).isNotBlank().hasSizeLessThan(300);
    assertThat(response.getData().isResult()).isFalse();
  }

  @Test
  void producerThatCouldNotBeAskedIsRefusedWhenItsMessageComes() {
    OneAddress one = new OneAddress("dubbo://shop:1");
    TrustMessageService strict = new TrustMessageService(half, "kafka", List.of(one));
    MiddlewareMessage message = TrustMessages.whole("1");

    assertRefused(1000, strict.prepareMessage(message));
    info(2, null, null, "dubbo://other:1", null).accept(message);
    assertRefused(1000, strict.prepareMessage(message));
    info(2, null, null, "dubbo://shop:1", null).accept(message);
    assertSuccess(strict.prepareMessage(message));
  }

  @Test
  void databaseThatIsAwayIsAnExceptionAndTheCallCanBeRepeated() {
    service.prepareMessage(TrustMessages.whole("1"));
    half.unreachable(true);

    assertThatThrownBy(() -> service.commitMessage(TrustMessages.bare("1")))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("repeat it")
        .hasNoCause();
    half.unreachable(false);

    assertSuccess(service.commitMessage(TrustMessages.bare("1")));
  }

  /** So that it says what it knows, as that nothing took effect. */
  @Test
  void exceptionOfDubboReachesTheCallerAsItIs() {
    RpcException busy = new RpcException(RpcException.LIMIT_EXCEEDED_EXCEPTION, "come again");
    HalfMessages refusing =
        new HalfMessages() {
          @Override
          public List<HalfAnswer> callAll(List<HalfCall> calls) {
            throw busy;
          }

          @Override
          public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
            throw busy;
          }
        };

    assertThatThrownBy(
            () -> new TrustMessageService(refusing, "kafka").commitMessage(TrustMessages.bare("1")))
        .isSameAs(busy);
  }

  @Test
  void transportWithANameThatNoneCanHaveIsRefused() {
    assertThatThrownBy(() -> new TrustMessageService(half, "Kafka!"))
        .isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> new TrustMessageService(half, ""))
        .isInstanceOf(InvalidMessageException.class);
  }
}
