package io.angarium.kafka;

import io.angarium.transport.SendResult;
import io.angarium.transport.internal.DeferredResults;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The topics seen, the lane of each, and what is held back for them. When there are very many,
 * those are forgotten that are well and have nothing under way. Guarded by the transport's lock.
 */
final class Topics {
  /** At so many topics, quiet ones are forgotten. */
  static final int KEPT_MAX = 10_000;

  private static final Duration QUIET_MARGIN = Duration.ofMinutes(1);

  private final ProducerLine steady;
  private final ProducerLine troubled;
  private final KafkaDiagnosis diagnosis;
  private final Duration holdMax;
  private final Duration missingAfter;
  private final Map<String, KafkaTopic> byName = new HashMap<>();
  private final Set<KafkaTopic> holding = new LinkedHashSet<>();
  private final long quietNanos;
  private int forgetAt = KEPT_MAX;
  private long nowNanos;

  Topics(ProducerLine steady, ProducerLine troubled, KafkaDiagnosis diagnosis, KafkaConfig config) {
    this.steady = steady;
    this.troubled = troubled;
    this.diagnosis = diagnosis;
    this.holdMax = config.holdMax();
    this.missingAfter = config.missingAfter();
    this.quietNanos = holdMax.plus(steady.resultMax()).plus(QUIET_MARGIN).toNanos();
  }

  KafkaTopic of(String name) {
    KafkaTopic topic = byName.get(name);
    if (topic == null) {
      forgetQuiet();
      topic = new KafkaTopic(name, steady);
      topic.usedNanos = nowNanos;
      byName.put(name, topic);
    }
    return topic;
  }

  /** A message offered so long ago has its result, so that nothing speaks of the topic any more. */
  private void forgetQuiet() {
    if (byName.size() >= forgetAt) {
      byName.values().removeIf(t -> t.isWell() && nowNanos - t.usedNanos > quietNanos);
      forgetAt = Math.max(KEPT_MAX, 2 * byName.size()); // else each new one looked at all again
    }
  }

  /** Topics remembered, whatever their state. */
  int size() {
    return byName.size();
  }

  /**
   * Gives a message to the producer, or its result to {@code outcomes}, or holds it back.
   *
   * @return false if it is held back
   */
  boolean offer(KafkaAttempt attempt, long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    KafkaTopic topic = attempt.topic();
    this.nowNanos = nowNanos;
    topic.usedNanos = nowNanos;
    if (topic.lane == troubled && topic.isWell()) {
      topic.lane = steady;
    }
    if (topic.held.isEmpty()) {
      topic.heldBecause = null;
      if (topic.lane.mayAsk(nowNanos) && topic.lane.take(attempt, nowNanos, outcomes)) {
        return true;
      }
    }
    topic.held.add(attempt);
    holding.add(topic);
    return false;
  }

  /** Tries again what is held back, and gives up on what was held too long. */
  void offerHeld(long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    boolean askSteady = steady.mayAsk(nowNanos);
    boolean askTroubled = troubled.mayAsk(nowNanos);
    for (KafkaTopic topic : List.copyOf(holding)) {
      offerHeld(topic, topic.lane == steady ? askSteady : askTroubled, nowNanos, outcomes);
    }
  }

  private void offerHeld(
      KafkaTopic topic, boolean ask, long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    KafkaAttempt first = topic.held.peekFirst();
    while (first != null && ask && topic.lane.take(first, nowNanos, outcomes)) {
      topic.held.pollFirst();
      first = topic.held.peekFirst();
    }
    if (first == null) {
      holding.remove(topic);
    } else if (nowNanos - first.heldNanos() >= holdMax.toNanos()) {
      topic.absence.lookedUp(KafkaDiagnosis.isMissingTopic(topic.heldBecause), first.heldNanos());
      boolean away = topic.known && !topic.absence.isMissingFor(missingAfter, nowNanos);
      giveUp(topic, outcomes, held -> diagnosis.held(held.message(), topic.heldBecause, away));
    }
  }

  private void giveUp(
      KafkaTopic topic,
      DeferredResults<KafkaAttempt> outcomes,
      Function<KafkaAttempt, SendResult> result) {
    topic.held.forEach(attempt -> outcomes.add(attempt, result.apply(attempt)));
    topic.held.clear();
    holding.remove(topic);
  }

  /** Gives all that is held back the same result. */
  void giveUpAll(SendResult result, DeferredResults<KafkaAttempt> outcomes) {
    List.copyOf(holding).forEach(topic -> giveUp(topic, outcomes, held -> result));
  }

  /** Replaces the ended producer of a lane, once all its results are in. */
  void renew(ProducerLine lane, long nowNanos, DeferredResults<KafkaAttempt> outcomes) {
    if (!lane.isEnding()) {
      return;
    }
    // What was held back behind messages of the ended producer must not overtake their retries:
    // the lane refuses to take it.
    for (KafkaTopic topic : List.copyOf(holding)) {
      if (topic.lane == lane) {
        offerHeld(topic, true, nowNanos, outcomes);
      }
    }
    if (lane.needsRenewal()) {
      lane.renew();
      byName.values().stream()
          .filter(topic -> topic.lane == lane && topic.troubled)
          .forEach(topic -> topic.lane = troubled);
    }
  }

  boolean isHolding() {
    return !holding.isEmpty();
  }

  /** True if a lane should have a producer: the steady one always, the other when it has work. */
  boolean wantsProducer(ProducerLine lane) {
    return lane == steady || holding.stream().anyMatch(topic -> topic.lane == lane);
  }
}
