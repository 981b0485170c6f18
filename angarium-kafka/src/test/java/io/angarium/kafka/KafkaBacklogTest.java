package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for fuller batches, with producers that wait for so long that a test would fail. */
@RequiresServer(Server.KAFKA)
class KafkaBacklogTest {
  private static final int FOREVER_MILLIS = (int) TimeUnit.MINUTES.toMillis(10);
  private static final int MANY = 200;

  /** For what must not happen. */
  private static final Duration A_WHILE = Duration.ofMillis(300);

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final String topic = TestBroker.topic("backlog-" + NUMBERS.incrementAndGet(), 1);
  private final Results results = new Results();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger flushesBegun = new AtomicInteger();
  private final AtomicInteger flushesEnded = new AtomicInteger();
  private KafkaConfig config =
      TestBroker.config().deliveryTimeout(Duration.ofMinutes(2)).holdMax(Duration.ofSeconds(20));
  private KafkaTransport transport;

  private void open() {
    transport = KafkaTransport.open(config, TimeSource.SYSTEM, this::patient);
  }

  private Producer<byte[], byte[]> patient(KafkaConfig settings, String clientId) {
    Map<String, Object> patient = ProducerSettings.producer(settings, clientId);
    patient.put(ProducerConfig.LINGER_MS_CONFIG, FOREVER_MILLIS);
    patient.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 2 * FOREVER_MILLIS);
    Producer<byte[], byte[]> real =
        new KafkaProducer<>(patient, new ByteArraySerializer(), new ByteArraySerializer());
    return producer((proxy, method, arguments) -> noted(real, method, arguments));
  }

  /** A proxy, because the interface differs from one version of the client to the next. */
  @SuppressWarnings("unchecked")
  private static Producer<byte[], byte[]> producer(InvocationHandler calls) {
    return (Producer<byte[], byte[]>)
        Proxy.newProxyInstance(
            Producer.class.getClassLoader(), new Class<?>[] {Producer.class}, calls);
  }

  private Object noted(Producer<byte[], byte[]> real, Method method, Object[] arguments)
      throws Throwable {
    boolean flush = method.getName().equals("flush");
    flushesBegun.addAndGet(flush ? 1 : 0);
    try {
      Object result = method.invoke(real, arguments);
      boolean took = result instanceof Future<?> sent && !sent.isDone();
      taken.addAndGet(took ? 1 : 0);
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    } finally {
      flushesEnded.addAndGet(flush ? 1 : 0);
    }
  }

  @AfterEach
  void closeTransport() {
    transport.close();
  }

  @Test
  void fewMessagesWaitForNoOthers() {
    open();

    for (int i = 0; i < 3; i++) {
      List<StoredMessage> few = messages(MANY - 1);
      transport.send(few, results);
      few.forEach(message -> results.next());

      assertThat(few).allMatch(message -> results.of(message) == SendResult.ACKNOWLEDGED);
    }
  }

  @Test
  void thoseOfABacklogWaitUntilFewCome() {
    open();
    acknowledgeOne(); // the topic is known from here on
    await("the flush to end", () -> flushesEnded.get() == flushesBegun.get());
    int flushes = flushesBegun.get();
    List<StoredMessage> many = messages(MANY);

    transport.send(many, results);
    transport.flush(A_WHILE);
    boolean anySent = many.stream().anyMatch(results::has);
    int flushesSince = flushesBegun.get() - flushes;
    acknowledgeOne();

    assertThat(anySent).isFalse();
    assertThat(flushesSince).isZero();
    assertThat(many).allMatch(message -> results.of(message) == SendResult.ACKNOWLEDGED);
  }

  @Test
  void whereALingerIsSetFewWaitAsLong() {
    config = config.linger(Duration.ofMillis(1));
    open();

    transport.send(messages(1), results);
    await("the producer to take it", () -> taken.get() == 1);
    transport.flush(A_WHILE);

    assertThat(flushesBegun).hasValue(0);
  }

  /**
   * Each producer that fails has had a thread; none is left behind, though its flush never ends.
   */
  @Test
  void threadThatFlushesEndsWithItsProducer() {
    Flusher flusher =
        new Flusher(
            producer(
                (proxy, method, arguments) -> {
                  flushesBegun.incrementAndGet();
                  Thread.currentThread().join(); // for ever: the client has died
                  return null;
                }),
            "flusher-of-a-test");
    open();

    flusher.flush();
    await("the flush to begin", () -> flushesBegun.get() == 1);
    flusher.close();
    flusher.close();

    await("its end", () -> !names().contains("flusher-of-a-test"));
  }

  private static List<String> names() {
    return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
  }

  private void acknowledgeOne() {
    StoredMessage message = Messages.of(topic, "key", "payload");
    transport.send(List.of(message), results);
    while (!results.has(message)) {
      results.next();
    }
    assertThat(results.of(message)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  private List<StoredMessage> messages(int number) {
    return IntStream.range(0, number).mapToObj(i -> Messages.of(topic, "key", "payload")).toList();
  }

  private static void await(String what, BooleanSupplier done) {
    long deadline = System.nanoTime() + Results.LIMIT.toNanos();
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }
}
