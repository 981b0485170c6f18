package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.testservers.FreePort;
import io.angarium.TimeSource;
import io.angarium.dubbo.DubboHalfMessages;
import io.angarium.dubbo.DubboServer;
import io.angarium.dubbo.HalfMessageService;
import io.angarium.dubbo.HalfMessagesOverDubbo;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.grpc.GrpcHalfService;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.TokenSource;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Half messages of an application on a server, over gRPC and Dubbo, by properties. */
@OnOneBoot
class SpringHalfServersTest {
  private static final String DUBBO = "angarium.half.dubbo.";
  private static final String GRPC = "angarium.half.grpc.";

  private final Database database = Database.h2().withOrders();
  private final InMemoryHalfMessages real = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final Queue<String> shown = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @TempDir private Path folder;

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private Shop shop() {
    return Shop.on(database)
        .withoutJpa()
        .with(Styles.Jdbc.class)
        .with("angarium.kafka.enabled=false")
        .with("angarium.rabbitmq.enabled=false")
        .with("angarium.rocketmq.enabled=false")
        .with("angarium.jdbc.schema-mode=create")
        .with("angarium.half.enabled=true");
  }

  private void assertUsable(ConfigurableApplicationContext context, Class<?> type) {
    HalfMessages half = context.getBean(HalfMessages.class);
    HalfKey key = new HalfKey("order-paid", "1");

    half.prepare(SpringHalfMessagesTest.message("1"));
    half.commit(key);

    assertThat(half).isInstanceOf(type);
    assertThat(real.state(key)).isEqualTo(HalfState.COMMITTED);
    assertThat(real.sent()).singleElement().satisfies(
        sent -> assertThat(sent.createdBy()).as("given by the intake").isNotNull());
    assertThat(context.getBeansOfType(HalfMessageDesk.class)).isEmpty();
  }

  private Server centreOverGrpc() throws IOException {
    return NettyServerBuilder.forAddress(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(new GrpcHalfService(real, threads))
        .intercept(
            new ServerInterceptor() {
              @Override
              public <Q, R> ServerCall.Listener<Q> interceptCall(
                  ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                shown.add(
                    String.valueOf(
                        headers.get(
                            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER))));
                return next.startCall(call, headers);
              }
            })
        .build()
        .start();
  }

  @Test
  void aServerIsCalledOverGrpc() throws Exception {
    Server centre = centreOverGrpc();
    Shop shop =
        shop().with(GRPC + "server=grpc://127.0.0.1:" + centre.getPort()).with(GRPC + "api-key=k3y");
    try {
      HalfMessages closed;
      try (ConfigurableApplicationContext context = shop.start()) {
        assertUsable(context, GrpcHalfMessages.class);
        assertThat(shown).containsOnly("Bearer k3y");
        closed = context.getBean(HalfMessages.class);
      }
      assertThatThrownBy(() -> closed.state(new HalfKey("order-paid", "1")))
          .hasMessageContaining("UNAVAILABLE");
    } finally {
      centre.shutdownNow();
    }
  }

  @Test
  void aServerOverGrpcIsShownTheTokenOfABean() throws Exception {
    Server centre = centreOverGrpc();
    Shop shop =
        shop()
            .with(SpringHalfMessagesTest.Token.class)
            .with(GRPC + "server=grpc://127.0.0.1:" + centre.getPort());
    try (ConfigurableApplicationContext context = shop.start()) {
      assertUsable(context, GrpcHalfMessages.class);
      assertThat(shown).containsOnly("Bearer t0ken");
    } finally {
      centre.shutdownNow();
    }
  }

  private DubboServer centreOverDubbo(int port) {
    ProtocolConfig protocol = new ProtocolConfig("dubbo", port);
    protocol.setHost("2130706433"); // 127.0.0.1 alone, as Dubbo understands it
    return DubboServer.open("centre", protocol, List.of())
        .offer(
            HalfMessagesOverDubbo.forCallers(
                () -> {
                  shown.add(
                      String.valueOf(
                          RpcContext.getServerAttachment()
                              .getAttachment(HalfMessageService.API_KEY)));
                  return real;
                }));
  }

  @Test
  void aServerIsCalledOverDubbo() throws Exception {
    int port = FreePort.find();
    Shop shop = shop().with(DUBBO + "server=dubbo://127.0.0.1:" + port).with(DUBBO + "api-key=k3y");
    try (DubboServer centre = centreOverDubbo(port)) {
      assertThat(centre).isNotNull();
      HalfMessages closed;
      try (ConfigurableApplicationContext context = shop.start()) {
        assertUsable(context, DubboHalfMessages.class);
        assertThat(shown).containsOnly("k3y");
        closed = context.getBean(HalfMessages.class);
      }
      assertThatThrownBy(() -> closed.state(new HalfKey("order-paid", "1")))
          .hasMessageContaining("it is closed");
    }
  }

  @Test
  void aServerOverDubboIsShownTheTokenOfABean() throws Exception {
    int port = FreePort.find();
    Shop shop =
        shop()
            .with(SpringHalfMessagesTest.Token.class)
            .with(DUBBO + "server=dubbo://127.0.0.1:" + port);
    try (DubboServer centre = centreOverDubbo(port);
        ConfigurableApplicationContext context = shop.start()) {
      assertThat(centre).isNotNull();
      assertUsable(context, DubboHalfMessages.class);
      assertThat(shown).containsOnly("t0ken");
      assertThat(context.getBeansOfType(TokenSource.class)).hasSize(1);
    }
  }

  @Test
  void aBeanAndAKeyTogetherStopTheStart() {
    for (String way : List.of("grpc", "dubbo")) {
      Shop both =
          shop()
              .with(SpringHalfMessagesTest.Token.class)
              .with("angarium.half." + way + ".server=" + way + "://127.0.0.1:1")
              .with("angarium.half." + way + ".api-key=k3y")
              .with("angarium.half.check.first=0s");

      assertThatThrownBy(both::start)
          .rootCause()
          .hasMessageContaining(
              "angarium.half." + way + ".api-key: given (expected: none besides a bean of TokenSource")
          .hasMessageContaining("angarium.half.check.first: 0s");
    }
  }

  @Test
  void wrongPropertiesAreListedTogether() throws Exception {
    Path none = Files.writeString(folder.resolve("none.pem"), "no certificate");
    Shop overGrpc =
        shop()
            .with(GRPC + "server=grpcs://centre:9090")
            .with(GRPC + "api-key=two words")
            .with(GRPC + "trusted-certificates=" + none)
            .with(DUBBO + "server=http://centre")
            .with(DUBBO + "application=a b")
            .with(DUBBO + "timeout=0s");
    Shop plain =
        shop().with(GRPC + "server=centre:9090").with(GRPC + "certificate=" + none);

    assertThatThrownBy(overGrpc::start)
        .rootCause()
        .hasMessageContaining(DUBBO + "server, " + GRPC + "server: given (expected: one way")
        .hasMessageContaining(GRPC + "api-key: its value")
        .hasMessageNotContaining("two words")
        .hasMessageContaining(GRPC + "trusted-certificates: [" + none + "]")
        .hasMessageContaining(DUBBO + "server: 'http://centre'")
        .hasMessageContaining(DUBBO + "application: 'a b'")
        .hasMessageContaining(DUBBO + "timeout: 0s");
    assertThatThrownBy(plain::start)
        .rootCause()
        .hasMessageContaining(GRPC + "server: 'centre:9090' (expected: grpcs://host:port")
        .hasMessageContaining(GRPC + "certificate: " + none + " (expected: a file, and private-key");
  }
}
