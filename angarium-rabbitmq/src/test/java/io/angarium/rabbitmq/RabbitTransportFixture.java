package io.angarium.rabbitmq;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.GetResponse;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** The fixture of the transport contract on the broker of this module's tests. */
final class RabbitTransportFixture implements TransportFixture {
  private static final String TRANSPORT = "rabbitmq";
  private static final String EXCHANGE = "tck";

  /** What a quorum queue adds to each delivery. */
  private static final String BROKERS_OWN = "x-delivery-count";

  /** How the broker is away. */
  enum Outage {
    REFUSES {
      @Override
      void begin() {
        TestBroker.server().proxy().refuse();
      }

      @Override
      void end() {
        TestBroker.server().proxy().heal();
      }
    },
    /** As if frozen: nothing comes through. By the proxy, for a signal takes effect later. */
    FROZEN {
      @Override
      void begin() {
        TestBroker.server().proxy().blackhole();
      }

      @Override
      void end() {
        TestBroker.server().proxy().heal();
      }
    },
    /** With {@code kill -9}. */
    KILLED {
      @Override
      void begin() {
        TestBroker.server().writeDownQueues();
        TestBroker.server().kill();
      }

      @Override
      void end() {
        if (TestBroker.server().pid().isEmpty()) {
          TestBroker.server().restart();
        }
      }
    };

    abstract void begin();

    abstract void end();
  }

  private static final class Names {
    private static final AtomicLong LAST = new AtomicLong();

    private Names() {}
  }

  private final Outage outage;
  private final String queueType;
  private final Map<Destination, List<BrokerMessage>> taken = new HashMap<>();
  private final RabbitTransport transport;

  RabbitTransportFixture(Outage outage, String queueType) {
    this.outage = outage;
    this.queueType = queueType;
    this.transport = RabbitTransport.open(outage == Outage.REFUSES ? patient() : impatient());
  }

  /** For a busy machine: only what has an unknown destination is held all the time. */
  private static RabbitConfig patient() {
    return TestBroker.config()
        .connectTimeout(Duration.ofSeconds(30))
        .confirmTimeout(Duration.ofSeconds(30))
        .holdMax(Duration.ofSeconds(10));
  }

  /** Each test waits for it. */
  private static RabbitConfig impatient() {
    Duration longest = Duration.ofMillis(1_500);
    return TestBroker.config().confirmTimeout(longest).holdMax(longest);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Destination freshDestination() {
    String queue = "tck-" + queueType + "-" + outage + "-" + Names.LAST.incrementAndGet();
    TestBroker.queue(queue, Map.of("x-queue-type", queueType));
    return TestBroker.ask(
        channel -> {
          channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.DIRECT, true);
          channel.queueBind(queue, EXCHANGE, queue);
          return new Destination(TRANSPORT, EXCHANGE + "/" + queue);
        });
  }

  @Override
  public Destination unknownDestination() {
    return new Destination(TRANSPORT, "nobody-declares-it/at.all");
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[TestBroker.MESSAGE_BYTES_MAX + 1]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    List<BrokerMessage> all = taken.computeIfAbsent(destination, d -> new ArrayList<>());
    RabbitAddress address = RabbitAddress.parse(destination.address());
    TestBroker.take(address.routingKey())
        .forEach(response -> all.add(message(destination, response)));
    return List.copyOf(all);
  }

  private static BrokerMessage message(Destination destination, GetResponse response) {
    Message message =
        Message.of(destination, response.getBody()).type(response.getProps().getType());
    for (Map.Entry<String, Object> header : response.getProps().getHeaders().entrySet()) {
      String value = header.getValue().toString();
      message =
          switch (header.getKey()) {
            case RabbitWireFormat.KEY -> message.key(value);
            case RabbitWireFormat.LONG_TYPE -> message.type(value);
            case BROKERS_OWN -> message;
            default -> message.header(header.getKey(), value);
          };
    }
    return new BrokerMessage(
        new MessageId(UUID.fromString(response.getProps().getMessageId())), message);
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
