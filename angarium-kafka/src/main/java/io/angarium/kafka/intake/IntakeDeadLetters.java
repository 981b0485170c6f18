package io.angarium.kafka.intake;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.SslContextEngines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The topic of records that cannot be taken. One thread at a time. */
final class IntakeDeadLetters implements AutoCloseable {
  private static final Duration SEND_MAX = Duration.ofSeconds(30);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(2);
  private static final int KEY_LENGTH_SHOWN = 200;
  private static final Logger LOG = LoggerFactory.getLogger(IntakeDeadLetters.class);

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;

  /** A record and why it could not be taken. */
  record Poison(ConsumerRecord<byte[], byte[]> record, String reason) {
    String origin() {
      return record.topic() + "/" + record.partition() + "/" + record.offset();
    }
  }

  IntakeDeadLetters(KafkaConfig config, String topic) {
    this.topic = topic;
    Map<String, Object> settings = new HashMap<>(config.properties());
    SslContextEngines.addTo(settings, config);
    settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(ProducerConfig.CLIENT_ID_CONFIG, config.clientId() + "-intake");
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, (int) SEND_MAX.toMillis());
    this.producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Keeps them for good.
   *
   * @throws KafkaException if that cannot be done now
   */
  void add(List<Poison> poison) throws InterruptedException {
    int kept = 0;
    while (kept < poison.size()) {
      kept += addSome(poison.subList(kept, poison.size()));
    }
  }

  /** Keeps the first ones, and says how many. */
  private int addSome(List<Poison> poison) throws InterruptedException {
    List<Future<?>> sent = new ArrayList<>();
    for (Poison each : poison) {
      sent.add(producer.send(letter(each, Part.WHOLE)));
      if (isRefusedAtOnce(sent.get(sent.size() - 1))) {
        break; // to send the others could take as long, and as much in vain
      }
    }
    for (int i = 0; i < sent.size(); i++) {
      settle(poison.get(i), sent.get(i));
    }
    return sent.size();
  }

  private static boolean isRefusedAtOnce(Future<?> sent) throws InterruptedException {
    try {
      if (sent.isDone()) {
        sent.get();
      }
      return false;
    } catch (ExecutionException e) {
      return true;
    }
  }

  /** What of a record is kept, in the order in which it is tried. */
  private enum Part {
    WHOLE,
    WITHOUT_VALUE,
    ORIGIN
  }

  private void settle(Poison poison, Future<?> whole) throws InterruptedException {
    Part[] parts = Part.values();
    boolean kept = isKept(poison, whole);
    for (int i = 1; i < parts.length && !kept; i++) {
      kept = isKept(poison, producer.send(letter(poison, parts[i])));
    }
    if (kept) {
      LOG.warn(
          "Record {} with key {} is no half message that can be taken; it is in {} now: {}",
          poison.origin(),
          key(poison),
          topic,
          poison.reason());
    } else {
      LOG.error(
          "Record {} with key {} is no half message that can be taken, and {} takes not even its"
              + " origin; read it where it is: {}",
          poison.origin(),
          key(poison),
          topic,
          poison.reason());
    }
  }

  /** False if it is too large. */
  private static boolean isKept(Poison poison, Future<?> sent) throws InterruptedException {
    try {
      sent.get(SEND_MAX.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RecordTooLargeException) {
        return false;
      }
      throw new KafkaException("No dead letter for " + poison.origin(), e.getCause());
    } catch (TimeoutException e) {
      throw new KafkaException("No dead letter for " + poison.origin() + " in time", e);
    }
  }

  /** Fit for a line of the log. */
  private static String key(Poison poison) {
    byte[] key = poison.record().key();
    String text = key == null ? "null" : new String(key, UTF_8).replaceAll("\\p{Cntrl}", "?");
    return text.length() > KEY_LENGTH_SHOWN ? text.substring(0, KEY_LENGTH_SHOWN) + "..." : text;
  }

  /** What does not fit still stands where it came from. */
  private ProducerRecord<byte[], byte[]> letter(Poison poison, Part part) {
    ConsumerRecord<byte[], byte[]> record = poison.record();
    ProducerRecord<byte[], byte[]> letter =
        new ProducerRecord<>(
            topic,
            part == Part.ORIGIN ? null : record.key(),
            part == Part.WHOLE ? record.value() : null);
    if (part != Part.ORIGIN) {
      record.headers().forEach(letter.headers()::add);
    }
    letter.headers().add(HalfIntakeFormat.REASON, poison.reason().getBytes(UTF_8));
    letter.headers().add(HalfIntakeFormat.ORIGIN, poison.origin().getBytes(UTF_8));
    return letter;
  }

  @Override
  public void close() {
    producer.close(CLOSE_MAX);
  }
}
