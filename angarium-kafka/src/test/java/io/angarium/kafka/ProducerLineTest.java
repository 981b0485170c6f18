package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.internal.DeferredResults;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProducerLineTest {
  private static final int ENOUGH = 120;

  private final ManualClock clock = ManualClock.create();
  private final KafkaConfig config = KafkaConfig.of("localhost:1");
  private final KafkaDiagnosis diagnosis = new KafkaDiagnosis(config);
  private final KeyGuard guard = new KeyGuard();
  private final DeferredResults<KafkaAttempt> outcomes = guard.deferred();
  private final TopicLimits limits =
      new TopicLimits(config, diagnosis, clock, topic -> OptionalLong.empty());
  private final ProducerLine steady = lane(false);
  private final ProducerLine troubled = lane(true);
  private final Topics topics = new Topics(steady, troubled, diagnosis, config);
  private final List<SendResult> results = new ArrayList<>();
  private long number;

  /** Takes no message while it has a reason. */
  private static final class Picky extends MockProducer<byte[], byte[]> {
    @Nullable Exception reason;

    Picky() {
      super(
          false, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public synchronized Future<RecordMetadata> send(
        ProducerRecord<byte[], byte[]> record, Callback callback) {
      if (reason == null) {
        return super.send(record, callback);
      }
      callback.onCompletion(null, reason);
      return new CompletableFuture<>();
    }
  }

  private ProducerLine lane(boolean forTroubled) {
    ProducerLine.Surroundings around =
        new ProducerLine.Surroundings(
            diagnosis, guard, limits, config.deliveryTimeout(), config.holdMax(), clock, () -> {});
    return new ProducerLine("test", forTroubled, Picky::new, around, clock.nanoTime());
  }

  @AfterEach
  void close() {
    limits.close();
  }

  private static Picky start(ProducerLine lane, ManualClock clock) {
    Picky producer = new Picky();
    lane.started(producer, clock.nanoTime());
    return producer;
  }

  private KafkaTopic offer(String name) {
    StoredMessage message = Messages.of(name, null, "x");
    KafkaTopic topic = topics.of(name);
    KafkaAttempt attempt =
        new KafkaAttempt(
            this, message, (m, r) -> results.add(r), topic, ++number, clock.nanoTime());
    topics.offer(attempt, clock.nanoTime(), outcomes);
    return topic;
  }

  /** The time of the record of a new message, which is refused for it. */
  private Instant refused(String name) {
    topics.renew(steady, clock.nanoTime(), outcomes);
    topics.renew(troubled, clock.nanoTime(), outcomes);
    List<Picky> producers = List.of(start(steady, clock), start(troubled, clock));
    offer(name);
    Picky taker =
        producers.stream().filter(picky -> !picky.history().isEmpty()).findFirst().orElseThrow();
    taker.errorNext(new InvalidTimestampException("out of range"));
    return Instant.ofEpochMilli(taker.history().get(0).timestamp());
  }

  @Test
  void hostsClockIsTriedAgainAMinuteAfterItsTimeWasRefused() {
    Instant written = io.angarium.testtransports.Messages.WRITTEN;
    clock.advance(Duration.ofSeconds(1));

    assertThat(refused("t")).isNotEqualTo(written);
    clock.advance(Duration.ofMinutes(1));
    assertThat(refused("t")).isNotEqualTo(written);
    clock.advance(Duration.ofSeconds(59));
    assertThat(refused("t")).isEqualTo(written);
  }

  @Test
  void messageWhoseTimesOfBothClocksAreRefusedUsesAttempts() {
    for (int i = 0; i < 4; i++) {
      refused("t");
    }

    assertThat(results)
        .extracting(Object::getClass)
        .containsExactly(Unavailable.class, Failed.class, Unavailable.class, Failed.class);
  }

  @Test
  void silentBrokersOfTroubledTopicsDoNotPutOffOthers() {
    Picky well = start(steady, clock);
    start(troubled, clock).reason = new TimeoutException("no metadata");
    KafkaTopic poor = topics.of("poor");
    poor.lane = troubled;
    poor.troubled = true;
    offer("poor");
    clock.advance(Duration.ofMillis(600));

    offer("well");

    assertThat(well.history()).extracting(ProducerRecord::topic).contains("well");
  }

  @Test
  void reasonForHoldingIsForgottenWhenAMessageIsTaken() {
    Picky producer = start(steady, clock);
    producer.reason = new TimeoutException("late", new UnknownTopicOrPartitionException("none"));
    KafkaTopic topic = offer("new");
    assertThat(topic.heldBecause).isNotNull();
    producer.reason = null;

    topics.offerHeld(clock.nanoTime(), outcomes);

    assertThat(topic.held).isEmpty();
    assertThat(topic.heldBecause).isNull();
  }

  @Test
  void startIsPutOffSoOftenOnly() {
    for (int i = 0; i < ENOUGH; i++) {
      assertThat(steady.startsAnyway()).isFalse();
      steady.startLater(clock.nanoTime());
    }

    assertThat(steady.startsAnyway()).isTrue();
    start(steady, clock);
    assertThat(steady.startsAnyway()).isFalse();
  }
}
