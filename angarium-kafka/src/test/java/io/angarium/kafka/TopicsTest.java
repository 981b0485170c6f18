package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.transport.internal.DeferredResults;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A service that never tires of inventing topics. */
class TopicsTest {
  private static final int MANY = 3 * Topics.KEPT_MAX;

  private final ManualClock clock = ManualClock.create();
  private final KafkaConfig config = KafkaConfig.of("localhost:1");
  private final KafkaDiagnosis diagnosis = new KafkaDiagnosis(config);
  private final KeyGuard guard = new KeyGuard();
  private final DeferredResults<KafkaAttempt> outcomes = guard.deferred();
  private final TopicLimits limits =
      new TopicLimits(config, diagnosis, clock, topic -> OptionalLong.of(topic.length()));
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(
          true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
  private final ProducerLine steady = lane(false);
  private final ProducerLine troubled = lane(true);
  private final Topics topics = new Topics(steady, troubled, diagnosis, config);
  private long number;

  private ProducerLine lane(boolean forTroubled) {
    ProducerLine.Surroundings around =
        new ProducerLine.Surroundings(
            diagnosis, guard, limits, config.deliveryTimeout(), config.holdMax(), clock, () -> {});
    return new ProducerLine("test", forTroubled, () -> producer, around, clock.nanoTime());
  }

  @AfterEach
  void close() {
    limits.close();
  }

  private KafkaTopic offer(String name) {
    StoredMessage message = Messages.of(name, "k", "x");
    KafkaTopic topic = topics.of(name);
    KafkaAttempt attempt =
        new KafkaAttempt(this, message, (m, r) -> {}, topic, ++number, clock.nanoTime());
    topics.offer(attempt, clock.nanoTime(), outcomes);
    return topic;
  }

  private void offerToMany(Duration apart) {
    for (int i = 0; i < MANY; i++) {
      clock.advance(apart);
      offer("t" + i);
    }
  }

  @Test
  void quietTopicsAreForgotten() {
    steady.started(producer, clock.nanoTime());

    offerToMany(Duration.ofSeconds(1));

    assertThat(topics.size()).isLessThanOrEqualTo(Topics.KEPT_MAX);
  }

  @Test
  void topicThatIsHeldBackIsRemembered() {
    KafkaTopic held = offer("held"); // there is no producer yet
    steady.started(producer, clock.nanoTime());

    offerToMany(Duration.ofSeconds(1));

    assertThat(topics.of("held")).isSameAs(held);
    assertThat(topics.isHolding()).isTrue();
  }

  @Test
  void troubledTopicIsRemembered() {
    steady.started(producer, clock.nanoTime());
    KafkaTopic poor = offer("poor");
    poor.troubled = true;

    offerToMany(Duration.ofSeconds(1));

    assertThat(topics.of("poor")).isSameAs(poor);
  }

  @Test
  void topicWithMessagesUnderWayInTheLaneForTroubledOnesIsRemembered() {
    steady.started(producer, clock.nanoTime());
    KafkaTopic slow = offer("slow");
    slow.lane = troubled;
    slow.underWay.incrementAndGet();

    offerToMany(Duration.ofSeconds(1));

    assertThat(topics.of("slow")).isSameAs(slow);
  }

  /** Their messages may be under way: who fails must be known by its topic. */
  @Test
  void topicsUsedJustNowAreRemembered() {
    steady.started(producer, clock.nanoTime());
    KafkaTopic first = offer("t0");

    offerToMany(Duration.ofMillis(1));

    assertThat(topics.of("t0")).isSameAs(first);
    assertThat(topics.size()).isEqualTo(MANY);
  }

  @Test
  void limitsOfTopicsAreForgottenAndAskedForAgain() {
    for (String name : List.of("a", "bb", "a")) {
      assertThat(limits.limit(name)).hasValue(name.length());
    }
    for (int i = 0; i < 3 * TopicLimits.ANSWERS_MAX; i++) {
      limits.limit("t" + i);
    }

    assertThat(limits.size()).isLessThanOrEqualTo(TopicLimits.ANSWERS_MAX);
    assertThat(limits.limit("a")).hasValue(1);
  }
}
