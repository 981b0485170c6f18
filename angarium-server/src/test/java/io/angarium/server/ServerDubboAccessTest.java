package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.dubbo.HalfMessageService;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.half.WhenUnknown;
import io.angarium.server.dubbo.DubboLifecycle;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who may do what over Dubbo: the same as over HTTP and gRPC. */
class ServerDubboAccessTest {
  private static final String DUBBO = "angarium.server.dubbo.";
  private static final String KEYS = "angarium.server.api-keys.";

  /** As tokens of large companies are. */
  private static final String LONG = "l".repeat(24_000);

  private static final int TIMEOUT_MILLIS = 60_000;

  private static ServerUnderTest server;
  private static HalfMessages shop;
  private static HalfMessages watch;
  private static FrameworkModel foreign;
  private static HalfMessageService service;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            DUBBO + "enabled=true",
            DUBBO + "port=" + DubboShop.freePort(),
            DUBBO + "businesses=none",
            DUBBO + "destinations=log:none",
            KEYS + "shop.hashes=" + ServerUnderTest.hash("shop"),
            KEYS + "shop.businesses=order-*",
            KEYS + "shop.destinations=kafka:orders",
            KEYS + "shop.payload-max=10B",
            KEYS + "watch.hashes[0]=" + ServerUnderTest.hash("watch"),
            KEYS + "watch.hashes[1]=" + ServerUnderTest.hash(LONG),
            KEYS + "watch.businesses=*",
            KEYS + "watch.steps=read",
            KEYS + "slow.hashes=" + ServerUnderTest.hash("slow"),
            KEYS + "slow.businesses=*",
            KEYS + "slow.destinations=*",
            KEYS + "slow.rate=1");
    shop = server.dubbo("shop");
    watch = server.dubbo("watch");
    foreign = new FrameworkModel();
    service = service();
  }

  /** As a program without our client has it. */
  private static HalfMessageService service() {
    ApplicationModel application = foreign.newApplication();
    ApplicationConfig config = new ApplicationConfig(application, "foreign");
    config.setQosEnable(false);
    application.getApplicationConfigManager().setApplication(config);
    ReferenceConfig<HalfMessageService> reference = new ReferenceConfig<>(application.newModule());
    reference.setInterface(HalfMessageService.class);
    reference.setVersion(HalfMessageService.VERSION);
    String address = server.bean(DubboLifecycle.class).address();
    reference.setUrl("dubbo://" + address.replace("127.0.0.1", "2130706433"));
    reference.setTimeout(TIMEOUT_MILLIS);
    return reference.get();
  }

  @AfterAll
  static void stop() {
    foreign.destroy();
    server.close();
  }

  private static HalfMessage message(String business, String key, String destination) {
    return HalfMessage.of(new HalfKey(business, key), Message.of(destination, new byte[1]));
  }

  private static Map<String, Object> asked(@Nullable String shown, Map<String, Object> key) {
    if (shown != null) {
      RpcContext.getClientAttachment().setAttachment(HalfMessageService.API_KEY, shown);
    }
    try {
      return service.states(List.of(key));
    } finally {
      RpcContext.removeClientAttachment();
    }
  }

  @Test
  void nobodyGetsInWithoutAKeyThatIsKnown() {
    Map<String, Object> right = Map.of("business", "order-1", "key", "none");
    String hash = ServerUnderTest.hash("shop");
    assertThat(asked("shop", right)).isEqualTo(Map.of("states", List.of("UNKNOWN")));
    assertThat(asked(LONG, right)).isEqualTo(Map.of("states", List.of("UNKNOWN")));
    for (String shown : new String[] {null, "", "wrong", hash, "Bearer shop", "s".repeat(40_000)}) {
      assertThat(asked(shown, right))
          .as(shown)
          .containsEntry("code", "UNAUTHENTICATED")
          .doesNotContainKey("states")
          .extractingByKey("detail")
          .asString()
          .contains("'angarium-api-key'", "angarium.server.api-keys");
    }
  }

  /** Nothing of what a stranger sends is looked at. */
  @Test
  void strangerIsNotToldWhatIsWrongWithItsRequest() {
    Map<String, Object> wrong = Map.of("colour", "red");

    assertThat(asked("shop", wrong)).containsEntry("code", "INVALID");
    assertThat(asked("wrong", wrong)).containsEntry("code", "UNAUTHENTICATED");
  }

  @Test
  void wrongKeyIsARefusalToTheClient() {
    for (HalfMessages stranger : List.of(server.dubbo((String) null), server.dubbo("wrong"))) {
      HalfMessage message = message("order-1", "stranger", "kafka:orders");
      assertUnauthenticated(() -> stranger.prepare(message));
      assertUnauthenticated(() -> stranger.rollback(message.key(), WhenUnknown.REMEMBER));
      assertUnauthenticated(() -> stranger.state(message.key()));

      assertThat(watch.state(message.key())).isEqualTo(HalfState.UNKNOWN);
    }
  }

  private static void assertUnauthenticated(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("UNAUTHENTICATED")
        .hasMessageContaining("angarium.server.api-keys");
  }

  @Test
  void keyIsShownAnewWithEachRequest() {
    AtomicInteger asked = new AtomicInteger();
    HalfMessages changing =
        server.dubbo(config -> config.token(() -> asked.getAndIncrement() == 0 ? "shop" : "old"));
    HalfKey key = new HalfKey("order-1", "changing");

    assertThat(changing.state(key)).isEqualTo(HalfState.UNKNOWN);
    assertUnauthenticated(() -> changing.state(key));
    assertThat(asked).hasValue(2);
  }

  @Test
  void callerMayDoWhatItIsPermittedAndNothingElse() {
    HalfMessage large =
        HalfMessage.of(new HalfKey("order-1", "l"), Message.of("kafka:orders", new byte[11]));

    assertThat(shop.prepare(message("order-1", "1", "kafka:orders"))).isEqualTo(HalfState.PREPARED);
    assertThat(shop.commit(new HalfKey("order-1", "1"))).isEqualTo(HalfState.COMMITTED);
    assertNotPermitted(() -> shop.prepare(message("stock", "1", "kafka:orders")), "businesses");
    assertNotPermitted(() -> shop.prepare(message("order-1", "2", "kafka:o")), "destinations");
    assertNotPermitted(() -> shop.commit(new HalfKey("stock", "1")), "businesses");
    assertNotPermitted(() -> shop.rollback(new HalfKey("stock", "1")), "businesses");
    assertNotPermitted(() -> shop.state(new HalfKey("stock", "1")), "businesses");
    assertNotPermitted(() -> watch.prepare(message("stock", "1", "kafka:orders")), "steps");
    assertNotPermitted(() -> watch.commit(new HalfKey("order-1", "1")), "steps");
    assertThatThrownBy(() -> shop.prepare(large))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("at most 10");
    assertThat(watch.state(new HalfKey("order-1", "2"))).isEqualTo(HalfState.UNKNOWN);
    assertThat(watch.state(new HalfKey("order-1", "l"))).isEqualTo(HalfState.UNKNOWN);
    assertThat(watch.state(new HalfKey("stock", "1"))).isEqualTo(HalfState.UNKNOWN);
  }

  private static void assertNotPermitted(ThrowingCallable call, String property) {
    assertThatThrownBy(call)
        .isInstanceOf(NotPermittedException.class)
        .hasMessageContaining("NOT_PERMITTED")
        .hasMessageContaining("API key")
        .hasMessageContaining("." + property);
  }

  @Test
  void batchWithOneForbiddenCallHasNoEffectAndNamesIt() {
    Map<String, Object> allowed =
        Map.of("step", "rollback", "business", "order-1", "key", "b", "whenUnknown", "remember");
    Map<String, Object> forbidden =
        Map.of("step", "rollback", "business", "stock", "key", "b", "whenUnknown", "remember");
    RpcContext.getClientAttachment().setAttachment(HalfMessageService.API_KEY, "shop");

    Map<String, Object> answer = service.callAll(List.of(allowed, forbidden, allowed));
    RpcContext.removeClientAttachment();

    assertThat(answer).containsEntry("code", "NOT_PERMITTED").containsEntry("calls", List.of(1));
    assertThat(watch.state(new HalfKey("order-1", "b"))).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void batchesAreAnsweredCallByCall() {
    List<HalfCall> many = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      HalfMessage message = message("order-1", "many " + i, "kafka:orders");
      many.add(new HalfCall.Prepare(message));
    }
    many.add(new HalfCall.Commit(new HalfKey("order-1", "many 7"), WhenUnknown.REFUSE));
    many.add(new HalfCall.Commit(new HalfKey("order-1", "many less"), WhenUnknown.REFUSE));

    var answers = shop.callAll(many);

    assertThat(answers).hasSize(602);
    assertThat(answers.subList(0, 600)).allMatch(each -> each.state() == HalfState.PREPARED);
    assertThat(answers.get(600).state()).isEqualTo(HalfState.COMMITTED);
    assertThat(answers.get(601).refusal()).isNotNull();
    assertThat(answers.get(601).key()).isEqualTo(new HalfKey("order-1", "many less"));
  }

  @Test
  void addressThatMustNotBeAskedIsRefusedAtOnce() {
    HalfMessage message =
        message("order-1", "asked", "kafka:orders").checkBack(URI.create("http://10.0.0.7/c"));

    assertThatThrownBy(() -> shop.prepare(message)).isInstanceOf(InvalidMessageException.class);
    assertThat(watch.state(message.key())).isEqualTo(HalfState.UNKNOWN);
  }

  /** The last call comes within so many seconds, or the test is slower than that. */
  @Test
  void tooManyCallsAreSentAwayUnharmed() {
    HalfMessages slow = server.dubbo("slow");
    List<HalfKey> many =
        IntStream.range(0, 400).mapToObj(each -> new HalfKey("slow", "" + each)).toList();
    slow.states(many);

    assertThatThrownBy(() -> slow.commit(new HalfKey("slow", "1")))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("TOO_MANY")
        .hasMessageContaining("more calls in a second than it may")
        .hasMessageContaining("nothing took effect");
  }

  /** Whoever forwards a connection is a program of this machine, and so is a browser. */
  @Test
  void withoutKeysTrustMessagesCallsAloneAreOffered() {
    int port = DubboShop.freePort();
    HalfMessage message = message("a", "b", "log:orders");
    try (DubboShop producer = new DubboShop(port, (business, key) -> 1);
        ServerUnderTest open =
            ServerUnderTest.open(
                "angarium.relay.enabled=false",
                DUBBO + "enabled=true",
                DUBBO + "port=" + port,
                DUBBO + "forward-transport=log",
                DUBBO + "businesses=*",
                DUBBO + "destinations=log:orders",
                "angarium.server.check-back.dubbo.allowed-addresses=" + producer.address())) {
      MiddlewareMessage theirs = DubboShop.message("1", "orders", producer.address());

      assertThat(producer.centre().prepareMessage(theirs).getCode()).isEqualTo(200);
      for (HalfMessages stranger : List.of(open.dubbo((String) null), open.dubbo("shop"))) {
        assertThatThrownBy(() -> stranger.prepare(message)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> stranger.state(message.key())).isInstanceOf(StoreException.class);
      }
      assertThat(open.bean(HalfMessages.class).state(message.key())).isEqualTo(HalfState.UNKNOWN);
      assertThat(open.bean(DubboLifecycle.class).words())
          .startsWith("TrustMessage's calls are offered over Dubbo at 127.0.0.1:" + port)
          .contains("half messages are not", "angarium.server.api-keys");
    }
  }
}
