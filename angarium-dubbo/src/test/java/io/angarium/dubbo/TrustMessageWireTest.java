package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import com.example.trustmessage.middlewareapi.common.MessageResponse;
import com.example.trustmessage.middlewareapi.service.MessageService;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of TrustMessage over Dubbo. */
class TrustMessageWireTest {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String SUCCESS =
      "MessageResponse{code=200, message='success', data=Data{result=true}}";

  private final InMemoryHalfMessages half = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final Loopback loopback = new Loopback();
  private DubboServer server;
  private DubboApplication client;

  @BeforeEach
  void start() {
    server = loopback.open().offer(new TrustMessageService(half, "kafka"));
    client = DubboApplication.open("shop");
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  /** Hessian takes no classes that are not serializable, which those of TrustMessage are not. */
  @Test
  void producerWithItsOwnClassesIsAnswered(@TempDir Path folder) throws Exception {
    ForeignProducer producer = ForeignProducer.compile(folder);

    List<String> answers = producer.run(loopback.address() + "?serialization=fastjson2");

    assertThat(answers)
        .containsExactly(
            "prepare: 200 true",
            "prepare again: 200 true",
            "commit: 200 true",
            "commit again: 200 true",
            "roll back too late: 1002 false",
            "commit unknown: 1001 false",
            "roll back: 200 true",
            "commit too late: 1003 false",
            "illegal: 1000 false");
    assertThat(half.sent())
        .singleElement()
        .usingRecursiveComparison()
        .isEqualTo(Message.of("kafka:orders", "süd".getBytes(UTF_8)).key("customer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?serialization=fastjson2", "?serialization=hessian2"})
  void producerWithOurClassesIsAnswered(String serialization) {
    MessageService service = typed(serialization);

    MessageResponse prepared = service.prepareMessage(TrustMessages.whole("1"));
    MessageResponse committed = service.commitMessage(TrustMessages.bare("1"));
    MessageResponse refused = service.rollBackMessage(TrustMessages.bare("1"));

    assertThat(prepared).hasToString(SUCCESS);
    assertThat(committed).hasToString(SUCCESS);
    assertThat(refused.getCode()).isEqualTo(1002);
    assertThat(half.sent()).hasSize(1);
  }

  @Test
  void genericClientIsAnswered() {
    ReferenceConfig<GenericService> reference = reference();
    reference.setInterface(MessageService.class.getName());
    reference.setGeneric("true");
    Map<String, Object> message =
        Map.of(
            "class",
            "com.example.trustmessage.middlewareapi.common.MiddlewareMessage",
            "bizID",
            7,
            "messageKey",
            "1",
            "message",
            "paid",
            "forwardTopic",
            "orders",
            "verifyInfo",
            Map.of("protocolType", 1, "url", "http://shop/verifyMessage"));

    Object answer = call(reference.get(), "prepareMessage", message);
    call(reference.get(), "commitMessage", message);

    assertThat(answer).asInstanceOf(MAP).containsEntry("code", 200);
    assertThat(answer)
        .asInstanceOf(MAP)
        .extractingByKey("data")
        .asInstanceOf(MAP)
        .containsEntry("result", true);
    assertThat(half.sent()).hasSize(1);
  }

  private static Object call(GenericService service, String method, Map<String, Object> message) {
    return service.$invoke(
        method,
        new String[] {"com.example.trustmessage.middlewareapi.common.MiddlewareMessage"},
        new Object[] {message});
  }

  @Test
  void answerThatIsUnknownIsAnExceptionWithoutAStackTrace() {
    MessageService service = typed("");
    service.prepareMessage(TrustMessages.whole("1"));
    half.unreachable(true);

    assertThatThrownBy(() -> service.commitMessage(TrustMessages.bare("1")))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("whether the call took effect is unknown; repeat it")
        .hasMessageNotContaining("StoreException")
        .rootCause()
        .satisfies(cause -> assertThat(cause.getStackTrace()).isEmpty());
    half.unreachable(false);

    MessageResponse repeated = service.commitMessage(TrustMessages.bare("1"));
    assertThat(repeated.getCode()).isEqualTo(200);
    assertThat(half.sent()).hasSize(1);
  }

  private MessageService typed(String serialization) {
    ReferenceConfig<MessageService> reference = reference();
    reference.setUrl(loopback.address() + serialization);
    reference.setInterface(MessageService.class);
    return reference.get();
  }

  private <T> ReferenceConfig<T> reference() {
    ReferenceConfig<T> reference = new ReferenceConfig<>(client.module());
    reference.setVersion(TrustMessageService.VERSION);
    reference.setUrl(loopback.address());
    reference.setTimeout(TIMEOUT_MILLIS);
    return reference;
  }
}
