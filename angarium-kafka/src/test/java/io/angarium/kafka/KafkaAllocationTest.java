package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.transport.SendResult;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a message costs on the heap of the sender, by the counters of the JVM. */
@OnOneJdk
@RequiresServer(Server.KAFKA)
class KafkaAllocationTest {
  private static final int MESSAGES = 60_000;
  private static final int WARM_UP = 20_000;
  private static final int PER_CALL = 500;

  /**
   * Of 200 bytes, with the client of Kafka; 1 350 to 1 640 are measured, by how full batches are.
   */
  private static final int BYTES_PER_MESSAGE_MAX = 2_500;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final String topic = TestBroker.topic("allocation", 3);
  private final List<StoredMessage> messages =
      IntStream.range(0, WARM_UP + MESSAGES)
          .mapToObj(i -> Messages.of(topic, "key-" + i % 1_000, "x".repeat(200)))
          .toList();

  @Test
  void aMessageOfABacklogTakesNoMoreOfTheHeapThanIsStated() throws InterruptedException {
    KafkaConfig config =
        KafkaConfig.of(TestBroker.server().directBootstrapServers())
            .deliveryTimeout(Duration.ofMinutes(1));
    try (KafkaTransport transport = KafkaTransport.open(config)) {
      send(transport, messages.subList(0, WARM_UP));
      Map<Long, Long> before = allocated();

      send(transport, messages.subList(WARM_UP, messages.size()));

      double perMessage = since(before) / (double) MESSAGES;
      System.out.printf("Kafka, backlog: %.0f bytes of heap for a message%n", perMessage);
      assertThat(perMessage).isPositive().isLessThanOrEqualTo(BYTES_PER_MESSAGE_MAX);
    }
  }

  private static void send(KafkaTransport transport, List<StoredMessage> messages)
      throws InterruptedException {
    Semaphore acknowledged = new Semaphore(0);
    for (int i = 0; i < messages.size(); i += PER_CALL) {
      transport.send(
          messages.subList(i, i + PER_CALL),
          (message, result) -> {
            if (result == SendResult.ACKNOWLEDGED) {
              acknowledged.release();
            }
          });
    }
    assertThat(acknowledged.tryAcquire(messages.size(), 1, TimeUnit.MINUTES)).isTrue();
  }

  /** Of each thread there is. */
  private static Map<Long, Long> allocated() {
    long[] ids = THREADS.getAllThreadIds();
    long[] bytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Long> allocated = new HashMap<>();
    for (int i = 0; i < ids.length; i++) {
      allocated.put(ids[i], bytes[i]);
    }
    return allocated;
  }

  private static long since(Map<Long, Long> before) {
    return allocated().entrySet().stream()
        .mapToLong(now -> now.getValue() - before.getOrDefault(now.getKey(), 0L))
        .sum();
  }
}
