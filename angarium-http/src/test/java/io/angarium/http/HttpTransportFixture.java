package io.angarium.http;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.http.HttpConfig.Limits;
import io.angarium.http.HttpConfig.Timing;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.FaultProxy;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fixture of the transport contract: a server of its own behind a proxy of its own. */
final class HttpTransportFixture implements TransportFixture {
  private static final String TRANSPORT = "http";
  private static final String UNTYPED = "nobody.gave.a.type";
  private static final int PAYLOAD_BYTES_MAX = 1_000_000;

  /** How the receiver is away. */
  enum Outage {
    REFUSES(Duration.ofSeconds(10), Duration.ofSeconds(30)) {
      @Override
      void begin(FaultProxy proxy) {
        proxy.refuse();
      }
    },
    /** As if frozen: connections open, but nothing comes through; waited for in each test. */
    FROZEN(Duration.ofSeconds(1), Duration.ofSeconds(3)) {
      @Override
      void begin(FaultProxy proxy) {
        proxy.blackhole();
      }
    };

    private final Duration connect;
    private final Duration answer;

    Outage(Duration connect, Duration answer) {
      this.connect = connect;
      this.answer = answer;
    }

    Timing timing() {
      return new Timing(connect, answer, Duration.ofSeconds(20), Duration.ofMinutes(1));
    }

    abstract void begin(FaultProxy proxy);
  }

  private final Outage outage;
  private final HookServer server = new HookServer();
  private final FaultProxy proxy = FaultProxy.to("127.0.0.1", server.port());
  private final HttpConfig config;
  private final HttpTransport transport;
  private final List<HttpTransport> elsewhere = new ArrayList<>();
  private int lastPath;

  HttpTransportFixture(Outage outage) {
    this.outage = outage;
    this.config =
        HttpConfig.allowing("127.0.0.1:" + proxy.port())
            .type(UNTYPED)
            .timing(outage.timing())
            .limits(Limits.DEFAULTS);
    this.transport = HttpTransport.open(config);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Transport transport(TimeSource host) {
    HttpTransport there = HttpTransport.open(config, host, null);
    elsewhere.add(there);
    return there;
  }

  @Override
  public Destination freshDestination() {
    String path = "/hooks/" + ++lastPath;
    server.on(
        path,
        exchange -> {
          String length = exchange.getRequestHeaders().getFirst("content-length");
          boolean fits = Integer.parseInt(length) <= PAYLOAD_BYTES_MAX;
          HookServer.answer(exchange, fits ? 204 : 413, "");
        });
    return destination(path);
  }

  private Destination destination(String path) {
    return new Destination(TRANSPORT, "http://127.0.0.1:" + proxy.port() + path);
  }

  @Override
  public Destination unknownDestination() {
    return destination("/hooks/nobody-is-here");
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[PAYLOAD_BYTES_MAX + 1]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    String address = destination.address();
    String path = address.substring(address.indexOf("/hooks/"));
    return server.posts(path).stream()
        .filter(request -> request.body().length <= PAYLOAD_BYTES_MAX)
        .map(request -> message(destination, request))
        .toList();
  }

  private static BrokerMessage message(Destination destination, HookServer.Request request) {
    String type = decoded(request, "Ce-type");
    Message message =
        Message.of(destination, request.body())
            .key(decoded(request, "Ce-partitionkey"))
            .type(UNTYPED.equals(type) ? null : type)
            .headers(HttpWireFormat.headers(request.headers()));
    return new BrokerMessage(MessageId.parse(request.header("Ce-id")), message);
  }

  private static @Nullable String decoded(HookServer.Request request, String name) {
    List<String> values = request.headers().get(name);
    return values == null ? null : HttpWireFormat.decode(values.get(0));
  }

  @Override
  public void makeUnavailable() {
    outage.begin(proxy);
  }

  @Override
  public void makeAvailable() {
    proxy.heal();
  }

  @Override
  public void close() {
    transport.close();
    elsewhere.forEach(HttpTransport::close);
    proxy.close();
    server.close();
  }
}
