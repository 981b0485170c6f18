package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.http.DtmStep;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpConfig.Timing;
import io.angarium.http.HttpTransport;
import io.angarium.intake.StoredMessage;
import io.angarium.server.dtm.DtmMessage.Step;
import io.angarium.server.dtm.DtmSteps;
import io.angarium.server.dtm.DtmStores;
import io.angarium.server.dtm.DtmTransport;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.FaultProxy;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Steps of dtm at a server behind a proxy, of both its own. */
final class DtmTransportFixture implements TransportFixture {
  private static final int PAYLOAD_BYTES_MAX = MessageLimits.DEFAULTS.payloadBytesMax();

  private final InMemoryHalfMessages next = new InMemoryHalfMessages(ManualClock.create());
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final HttpServer server;
  private final FaultProxy proxy;
  private final Dressed transport;
  private int paths;

  /**
   * All of a message: a step of dtm has nothing but a payload. Immutable.
   *
   * @param payload in Base64
   */
  record Whole(
      String id,
      @Nullable String key,
      @Nullable String type,
      Map<String, String> headers,
      String payload) {
    byte[] bytes() {
      return Base64.getDecoder().decode(payload);
    }
  }

  private record Received(String path, Whole whole) {}

  /** Has each message called as the first of two steps. */
  private record Dressed(DtmTransport real, String after) implements Transport {
    @Override
    public String name() {
      return real.name();
    }

    @Override
    public KeyOrder keyOrder() {
      return real.keyOrder();
    }

    @Override
    public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
      IdentityHashMap<StoredMessage, StoredMessage> originals = new IdentityHashMap<>();
      List<StoredMessage> dressed = new ArrayList<>();
      for (StoredMessage message : messages) {
        StoredMessage step = dressed(message);
        originals.put(step, message);
        dressed.add(step);
      }
      real.send(
          dressed,
          (step, result) -> results.accept(Objects.requireNonNull(originals.get(step)), result));
    }

    private StoredMessage dressed(StoredMessage stored) {
      Message message = stored.message();
      Whole whole =
          new Whole(
              stored.id().toString(),
              message.key(),
              message.type(),
              message.headers().asMap(),
              Base64.getEncoder().encodeToString(message.payload()));
      DtmSteps.Envelope envelope =
          new DtmSteps.Envelope(
              JsonMapper.shared().writeValueAsString(whole), List.of(new Step(after, "2")));
      Headers headers =
          Headers.of(
              Map.of(
                  DtmStep.GID, stored.id().toString(), DtmStep.BRANCH, "01", DtmSteps.MORE, "1"));
      return new StoredMessage(
          stored.position(),
          stored.id(),
          Message.of(message.destination(), JsonMapper.shared().writeValueAsBytes(envelope))
              .headers(headers),
          stored.attempts(),
          stored.createdAt());
    }

    @Override
    public Duration resultMax() {
      return real.resultMax();
    }

    @Override
    public Duration blockingMax() {
      return real.blockingMax();
    }

    @Override
    public void flush(Duration timeout) {
      real.flush(timeout);
    }

    @Override
    public void close() {
      real.close();
    }
  }

  DtmTransportFixture() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/steps/", this::answer);
    server.setExecutor(threads);
    server.start();
    proxy = FaultProxy.to("127.0.0.1", server.getAddress().getPort());
    // long enough for a busy machine: in an outage connections are refused at once
    Timing timing =
        new Timing(
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(20),
            Duration.ofMinutes(1));
    HttpConfig config = HttpConfig.allowing("127.0.0.1:" + proxy.port()).timing(timing);
    transport =
        new Dressed(
            new DtmTransport(
                HttpTransport.dtm(config),
                new DtmStores(next, Duration.ofSeconds(20)),
                new DtmSteps("transfers")),
            url("/steps/after"));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      Whole whole = JsonMapper.shared().readValue(body, Whole.class);
      boolean fits = whole.bytes().length <= PAYLOAD_BYTES_MAX;
      if (fits) {
        received.add(new Received(exchange.getRequestURI().getPath(), whole));
      }
      exchange.sendResponseHeaders(fits ? 204 : 413, -1);
    }
  }

  private String url(String path) {
    return "http://127.0.0.1:" + proxy.port() + path;
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Destination freshDestination() {
    paths++;
    return new Destination(DtmStep.TRANSPORT, url("/steps/" + paths));
  }

  @Override
  public Destination unknownDestination() {
    return new Destination(DtmStep.TRANSPORT, url("/nobody-is-here"));
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[PAYLOAD_BYTES_MAX + 1]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    return received.stream()
        .filter(each -> destination.address().endsWith(each.path()))
        .map(each -> message(destination, each.whole()))
        .toList();
  }

  private static BrokerMessage message(Destination destination, Whole whole) {
    return new BrokerMessage(
        MessageId.parse(whole.id()),
        Message.of(destination, whole.bytes())
            .key(whole.key())
            .type(whole.type())
            .headers(Headers.of(whole.headers())));
  }

  @Override
  public void makeUnavailable() {
    proxy.refuse();
  }

  @Override
  public void makeAvailable() {
    proxy.heal();
  }

  @Override
  public void close() {
    transport.close();
    proxy.close();
    server.stop(0);
    threads.shutdownNow();
  }
}
