package io.angarium.benchmarks.raw;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.Sender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Persistent, mandatory messages through some channels of RabbitMQ, with confirms that come later
 * and for many at once, as its makers advise for throughput. The channel is chosen by the key. One
 * thread at a time sends.
 */
final class RabbitSender implements Sender {
  private static final String DEFAULT_EXCHANGE = "";
  private static final int PERSISTENT = 2;
  private static final int CHANNELS = 4;

  private final Connection connection;
  private final List<Lane> lanes = new ArrayList<>();
  private final String queue;
  private final AtomicLong acknowledged = new AtomicLong();
  private volatile @Nullable String returned;
  private int turn;

  RabbitSender(ArmSettings settings) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(settings.brokerAddress());
    factory.setHandshakeTimeout(120_000); // the machine may be busy
    this.queue = settings.topic();
    this.connection = factory.newConnection("raw");
    for (int i = 0; i < CHANNELS; i++) {
      lanes.add(new Lane(connection.createChannel()));
    }
  }

  @Override
  public void send(@Nullable String key, byte[] payload, Consumer<@Nullable Throwable> done) {
    if (returned != null) {
      throw new IllegalStateException("RabbitMQ gave a message back: " + returned);
    }
    int number = key == null ? turn++ : key.hashCode();
    Map<String, Object> headers = key == null ? Map.of() : Map.of("key", key);
    BasicProperties properties =
        new BasicProperties.Builder().deliveryMode(PERSISTENT).headers(headers).build();
    try {
      lanes.get(Math.floorMod(number, CHANNELS)).publish(properties, payload, done);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public void close() {
    connection.abort();
  }

  /** A channel, and what was published on it without a confirm yet. */
  private final class Lane {
    private final Channel channel;
    private final ConcurrentNavigableMap<Long, Consumer<@Nullable Throwable>> unconfirmed =
        new ConcurrentSkipListMap<>();

    private Lane(Channel channel) throws IOException {
      this.channel = channel;
      channel.confirmSelect();
      channel.addReturnListener(back -> returned = back.getReplyText());
      channel.addConfirmListener(
          (tag, multiple) -> confirmed(tag, multiple, null),
          (tag, multiple) -> confirmed(tag, multiple, new IOException("not confirmed")));
    }

    private void publish(
        BasicProperties properties, byte[] payload, Consumer<@Nullable Throwable> done)
        throws IOException {
      unconfirmed.put(channel.getNextPublishSeqNo(), done);
      channel.basicPublish(DEFAULT_EXCHANGE, queue, true, properties, payload);
    }

    private void confirmed(long tag, boolean multiple, @Nullable Throwable failure) {
      Iterator<Consumer<@Nullable Throwable>> ended =
          unconfirmed.subMap(multiple ? 0 : tag, true, tag, true).values().iterator();
      while (ended.hasNext()) {
        Consumer<@Nullable Throwable> done = ended.next();
        ended.remove();
        if (failure == null) {
          acknowledged.incrementAndGet();
        }
        done.accept(failure);
      }
    }
  }
}
