package io.angarium.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.intake.Partitioning;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.Tx;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A JVM of its own that sends to Kafka steadily, by a relay or by a plain producer, and logs at
 * INFO as applications do.
 */
final class OutageLogProcess implements AutoCloseable {
  private static final List<String> TOPICS = List.of("quiet-1", "quiet-2", "quiet-3");
  private static final String DOWN = "down";
  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final int KEYS = 8;

  private final Process process;
  private final CompletableFuture<List<String>> lines;

  private OutageLogProcess(Process process) {
    this.process = process;
    this.lines =
        CompletableFuture.supplyAsync(
            () -> {
              List<String> all = new ArrayList<>();
              process.errorReader().lines().forEach(all::add);
              return all;
            });
  }

  /**
   * Starts one and waits until Kafka has taken a message of each topic.
   *
   * @param kind {@code relay} or {@code plain}
   * @param outage how long it goes on from {@link #down}
   */
  static OutageLogProcess start(String kind, String bootstrapServers, Duration outage)
      throws IOException {
    TOPICS.forEach(topic -> TestBroker.topic(kind + "-" + topic, 1));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=info",
            "-Dorg.slf4j.simpleLogger.log.org.apache.kafka=info",
            "-cp",
            System.getProperty("java.class.path"),
            OutageLogProcess.class.getName(),
            kind,
            bootstrapServers,
            String.valueOf(outage.toMillis()));
    OutageLogProcess started = new OutageLogProcess(new ProcessBuilder(command).start());
    for (String topic : TOPICS) {
      while (TestBroker.read(kind + "-" + topic).isEmpty()) {
        if (!started.process.isAlive()) {
          throw new IOException("It ended before Kafka took a message");
        }
      }
    }
    return started;
  }

  /** Kafka is away from now on. */
  void down() throws IOException {
    process.outputWriter().append(DOWN).append('\n').flush();
  }

  /** What it logged since {@link #down}; waits for its end. */
  List<String> lines() {
    List<String> all = lines.join();
    return all.subList(all.indexOf(DOWN) + 1, all.size());
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Runs the application. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String kind = arguments[0];
    Consumer<Integer> sender =
        kind.equals("relay") ? relay(arguments[1]) : plain(kind, arguments[1]);
    Thread sending =
        new Thread(
            () -> {
              for (int number = 0; ; number++) {
                sender.accept(number);
                LockSupport.parkNanos(BETWEEN.toNanos());
              }
            });
    sending.start();
    new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
    System.err.println(DOWN);
    sending.join(Long.parseLong(arguments[2]));
    Runtime.getRuntime().halt(0);
  }

  private static Consumer<Integer> relay(String bootstrapServers) {
    ManualClock clock = ManualClock.create();
    InMemoryDatabase database = InMemoryDatabase.create(clock, new Partitioning(8, 2));
    KafkaTransport transport = KafkaTransport.open(KafkaConfig.of(bootstrapServers));
    RelayConfig defaults = RelayConfig.defaults("a");
    Relay relay =
        Relay.builder(database.outboxStore(), database.leaseStore())
            .config(
                new RelayConfig(
                    "a",
                    database.partitioning(),
                    defaults.leasing(),
                    defaults.polling(),
                    defaults.window(),
                    Duration.ofSeconds(1)))
            .transport(transport)
            .build();
    relay.start();
    return number -> {
      clock.advance(BETWEEN);
      try (Tx transaction = database.begin(relay)) {
        String topic = "relay-" + TOPICS.get(number % TOPICS.size());
        transaction
            .outbox()
            .send(Message.of("kafka:" + topic, new byte[10]).key("k" + number % KEYS));
        transaction.commit();
      }
    };
  }

  private static Consumer<Integer> plain(String kind, String bootstrapServers) {
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    return number -> {
      String topic = kind + "-" + TOPICS.get(number % TOPICS.size());
      Future<?> unused =
          producer.send(
              new ProducerRecord<>(topic, ("k" + number % KEYS).getBytes(UTF_8), new byte[10]));
    };
  }
}
