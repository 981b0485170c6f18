package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.testkit.BrokerMessage;
import io.angarium.testkit.TransportFixture;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** The fixture of the transport contract on the broker of this module's tests. */
final class KafkaTransportFixture implements TransportFixture {
  private static final String TRANSPORT = "kafka";
  private static final int LARGE_BYTES = 2_000_000;
  private static final int PARTITIONS = 3;

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
    };

    abstract void begin();

    abstract void end();
  }

  private static final class Names {
    private static final AtomicLong LAST = new AtomicLong();

    private Names() {}
  }

  private final Outage outage;
  private final KafkaTransport transport;

  KafkaTransportFixture(Outage outage) {
    this.outage = outage;
    // With a broker that answers long enough for a busy machine. Else each test waits for it.
    Duration longest = outage == Outage.REFUSES ? Duration.ofSeconds(4) : Duration.ofMillis(1_500);
    this.transport =
        KafkaTransport.open(
            TestBroker.config().deliveryTimeout(longest).holdMax(longest).batchBytes(16_384));
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Destination freshDestination() {
    String topic = "tck-" + Names.LAST.incrementAndGet();
    return new Destination(TRANSPORT, TestBroker.topic(topic, PARTITIONS));
  }

  @Override
  public Destination unknownDestination() {
    return new Destination(TRANSPORT, "tck-nobody-creates-it");
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[LARGE_BYTES]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    return TestBroker.read(destination.address()).stream()
        .map(record -> message(destination, record))
        .toList();
  }

  private static BrokerMessage message(
      Destination destination, ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    Message message =
        Message.of(destination, record.value()).key(key == null ? null : new String(key, UTF_8));
    String id = "";
    for (Header header : record.headers()) {
      String value = new String(header.value(), UTF_8);
      switch (header.key()) {
        case KafkaWireFormat.ID -> id = value;
        case KafkaWireFormat.TYPE -> message = message.type(value);
        default -> message = message.header(header.key(), value);
      }
    }
    return new BrokerMessage(new MessageId(UUID.fromString(id)), message);
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
