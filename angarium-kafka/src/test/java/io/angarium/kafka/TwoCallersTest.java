package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Two relays on one transport: what one has seen says nothing of what the other has. */
class TwoCallersTest {
  private final List<MockProducer<byte[], byte[]>> made = new CopyOnWriteArrayList<>();
  private final Map<StoredMessage, SendResult> results = new ConcurrentHashMap<>();

  private MockProducer<byte[], byte[]> producer() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()) {
          @Override
          public synchronized void flush() {} // completes all otherwise
        };
    made.add(producer);
    return producer;
  }

  @Test
  void callOfOneRelayLetsNoMessageOfTheOtherPassAFailedOne() {
    try (KafkaTransport transport =
        KafkaTransport.open(
            KafkaConfig.of("localhost:1"), TimeSource.SYSTEM, (config, id) -> producer())) {
      Transport one = transport.of("one");
      Transport other = transport.of("other");
      StoredMessage first = Messages.of("t", "k", "1");
      StoredMessage second = Messages.of("t", "k", "2");
      one.send(List.of(first), results::put);
      await(() -> made.stream().anyMatch(p -> p.errorNext(new TimeoutException("no answer"))));
      await(() -> results.containsKey(first) && made.size() == 2); // its relay is busy elsewhere

      other.send(List.of(Messages.of("t", "other", "1")), results::put);
      one.send(List.of(second), results::put);

      assertThat(results.get(second)).isInstanceOf(Unavailable.class);
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
