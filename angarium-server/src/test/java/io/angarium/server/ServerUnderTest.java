package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.dubbo.DubboHalfConfig;
import io.angarium.dubbo.DubboHalfMessages;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.server.dubbo.DubboLifecycle;
import io.angarium.server.grpc.GrpcLifecycle;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The server in this JVM, on a free port of the loopback interface. */
final class ServerUnderTest implements AutoCloseable {
  /** The key of {@link #HASH}. */
  static final String KEY = "a-key-for-tests";

  static final String HASH = hash(KEY);

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ConfigurableApplicationContext context;
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<HttpHalfMessages> open = new ArrayList<>();
  private final List<DubboHalfMessages> overDubbo = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();

  private ServerUnderTest(List<String> properties) {
    String[] arguments = properties.stream().map(each -> "--" + each).toArray(String[]::new);
    this.context = SpringApplication.run(Server.class, arguments);
  }

  /** A key as it is configured. */
  static String hash(String key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** On an H2 database in memory, without API keys. */
  static ServerUnderTest open(String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add("server.port=0");
    properties.add("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    return new ServerUnderTest(properties);
  }

  /** With properties that come before those that a test does not care for. */
  static ServerUnderTest first(String... properties) {
    List<String> all = new ArrayList<>(List.of("server.port=0"));
    all.addAll(List.of(properties));
    if (all.stream().noneMatch(each -> each.startsWith("spring.datasource.url="))) {
      all.add("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
    }
    return new ServerUnderTest(all);
  }

  /** On a database of its own, for one API key that may do everything. */
  static ServerUnderTest guarded(String url, String user, String password, String... more) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "server.port=0",
                "spring.datasource.url=" + url,
                "spring.datasource.username=" + user,
                "spring.datasource.password=" + password,
                "angarium.server.api-keys.tests.hashes=" + HASH,
                "angarium.server.api-keys.tests.businesses=*",
                "angarium.server.api-keys.tests.destinations=*"));
    properties.addAll(List.of(more));
    return new ServerUnderTest(properties);
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  <T> Collection<T> beans(Class<T> type) {
    return context.getBeansOfType(type).values();
  }

  <T> T bean(String name, Class<T> type) {
    return context.getBean(name, type);
  }

  int port() {
    return ((WebServerApplicationContext) context).getWebServer().getPort();
  }

  String address() {
    return "http://127.0.0.1:" + port();
  }

  HttpHalfMessages half() {
    HttpHalfConfig config = HttpHalfConfig.of(address()).apiKey(KEY);
    HttpHalfMessages half = HttpHalfMessages.open(config, MessageIntake.of(null));
    open.add(half);
    return half;
  }

  /** A client over Dubbo that shows a key; null for none. */
  DubboHalfMessages dubbo(@Nullable String key) {
    return dubbo(config -> config.apiKey(key));
  }

  /** Likewise, configured otherwise. */
  DubboHalfMessages dubbo(UnaryOperator<DubboHalfConfig> changes) {
    DubboHalfConfig config =
        DubboHalfConfig.of("dubbo://" + bean(DubboLifecycle.class).address())
            .answer(Duration.ofMinutes(2));
    DubboHalfMessages half = DubboHalfMessages.open(changes.apply(config), MessageIntake.of(null));
    overDubbo.add(half);
    return half;
  }

  /** A client over gRPC that shows a key; null for none. */
  GrpcHalfMessages grpc(@Nullable String key) {
    return new GrpcHalfMessages(
        channel(key), GrpcHalfConfig.DEFAULTS.timeout(Duration.ofMinutes(2)));
  }

  /** Likewise, for what the client does not do. */
  Channel channel(@Nullable String key) {
    Metadata headers = new Metadata();
    if (key != null) {
      headers.put(AUTHORIZATION, "Bearer " + key);
    }
    return ClientInterceptors.intercept(
        channel(InsecureChannelCredentials.create()),
        MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** A connection of its own. */
  Channel channel(ChannelCredentials credentials) {
    int port = bean(GrpcLifecycle.class).port();
    ManagedChannel channel =
        Grpc.newChannelBuilder("dns:///127.0.0.1:" + port, credentials).build();
    channels.add(channel);
    return channel;
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address() + path));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    open.forEach(HttpHalfMessages::close);
    overDubbo.forEach(DubboHalfMessages::close);
    channels.forEach(ManagedChannel::shutdownNow);
    context.close();
  }
}
