package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
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
  private final KafkaConfig config;
  private final KafkaTransport transport;
  private final List<KafkaTransport> elsewhere = new ArrayList<>();

  private KafkaTransportFixture(Outage outage, Duration deliveryTimeout, Duration holdMax) {
    this.outage = outage;
    this.config =
        TestBroker.config().deliveryTimeout(deliveryTimeout).holdMax(holdMax).batchBytes(16_384);
    this.transport = KafkaTransport.open(config);
  }

  /** For a busy machine: only what has an unknown topic is held all the time. */
  static KafkaTransportFixture patient() {
    return new KafkaTransportFixture(
        Outage.REFUSES, Duration.ofSeconds(30), Duration.ofSeconds(10));
  }

  /** For outages, whose end each test waits for. */
  static KafkaTransportFixture impatient(Outage outage) {
    Duration longest = Duration.ofMillis(1_500);
    return new KafkaTransportFixture(outage, longest, longest);
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Transport transport(TimeSource host) {
    KafkaTransport there = KafkaTransport.open(config, host, RealProducer::of);
    elsewhere.add(there);
    return there;
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
    elsewhere.forEach(KafkaTransport::close);
    outage.end();
  }
}
