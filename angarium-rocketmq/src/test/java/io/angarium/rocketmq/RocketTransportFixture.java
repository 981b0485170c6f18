package io.angarium.rocketmq;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.testservers.FaultProxy;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.rocketmq.common.message.MessageExt;

/** The fixture of the transport contract on the cluster of this module's tests. */
final class RocketTransportFixture implements TransportFixture {
  private static final String TRANSPORT = "rocketmq";
  private static final int QUEUES = 3;
  private static final int MAX_ASCII = 127;

  /** How the cluster is away. */
  enum Outage {
    REFUSES {
      @Override
      void begin() {
        proxies(FaultProxy::refuse);
      }

      @Override
      void end() {
        proxies(FaultProxy::heal);
      }
    },
    /** As if frozen: nothing comes through. By the proxies, for a signal takes effect later. */
    FROZEN {
      @Override
      void begin() {
        proxies(FaultProxy::blackhole);
      }

      @Override
      void end() {
        proxies(FaultProxy::heal);
      }
    },
    /** With {@code kill -9}, the broker and its name server. */
    KILLED {
      @Override
      void begin() {
        TestCluster.server().kill();
      }

      @Override
      void end() {
        if (TestCluster.server().pid().isEmpty()) {
          TestCluster.server().restart();
        }
      }
    };

    abstract void begin();

    abstract void end();

    private static void proxies(Consumer<FaultProxy> fault) {
      fault.accept(TestCluster.server().nameServerProxy());
      fault.accept(TestCluster.server().proxy());
    }
  }

  private static final class Names {
    private static final AtomicLong LAST = new AtomicLong();

    private Names() {}
  }

  private final Outage outage;
  private final RocketTransport transport;

  private RocketTransportFixture(Outage outage, Duration sendTimeout, Duration holdMax) {
    this.outage = outage;
    this.transport =
        RocketTransport.open(
            TestCluster.config().sendTimeout(sendTimeout).holdMax(holdMax).batchMessages(50));
  }

  /** For a busy machine: only what has an unknown topic is held all the time. */
  static RocketTransportFixture patient() {
    return new RocketTransportFixture(
        Outage.REFUSES, Duration.ofSeconds(30), Duration.ofSeconds(10));
  }

  /** For outages, whose end each test waits for. */
  static RocketTransportFixture impatient(Outage outage) {
    Duration longest = Duration.ofMillis(1_500);
    return new RocketTransportFixture(outage, longest, longest);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Destination freshDestination() {
    String topic = "tck-" + outage + "-" + Names.LAST.incrementAndGet();
    return new Destination(TRANSPORT, TestCluster.topic(topic, QUEUES));
  }

  @Override
  public Destination unknownDestination() {
    return new Destination(TRANSPORT, "nobody-creates-it:tag");
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[TestCluster.MESSAGE_BYTES_MAX + 1]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    return TestCluster.read(destination.address()).stream()
        .map(found -> message(destination, found))
        .toList();
  }

  private static BrokerMessage message(Destination destination, MessageExt found) {
    Map<String, String> properties = found.getProperties();
    boolean empty = properties.containsKey(RocketWireFormat.EMPTY);
    Message message = Message.of(destination, empty ? new byte[0] : found.getBody());
    for (Map.Entry<String, String> property : properties.entrySet()) {
      String value = property.getValue();
      message =
          switch (property.getKey()) {
            case RocketWireFormat.KEY -> message.key(value);
            case RocketWireFormat.TYPE -> message.type(value);
            case RocketWireFormat.ID, RocketWireFormat.EMPTY, RocketWireFormat.HEADERS -> message;
            default ->
                isOurs(property.getKey()) ? message.header(property.getKey(), value) : message;
          };
    }
    for (Map.Entry<String, String> header :
        RocketWireFormat.furtherHeaders(properties).entrySet()) {
      message = message.header(header.getKey(), header.getValue());
    }
    return new BrokerMessage(
        new MessageId(UUID.fromString(properties.get(RocketWireFormat.ID))), message);
  }

  /** Broker and client add properties in capitals. */
  private static boolean isOurs(String property) {
    boolean capitals = property.toUpperCase(Locale.ROOT).equals(property);
    return property.codePointAt(0) > MAX_ASCII || !(capitals || property.startsWith("__"));
  }

  @Override
  public void makeUnavailable() {
    outage.begin();
  }

  @Override
  public void makeAvailable() {
    outage.end();
  }

  @Override
  public void close() {
    transport.close();
    outage.end();
  }
}
