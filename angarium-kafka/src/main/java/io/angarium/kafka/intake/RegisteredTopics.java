package io.angarium.kafka.intake;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.half.intake.IntakeTopic;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.internal.DurationText;
import io.angarium.kafka.intake.HalfIntakeConfig.Records;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of the registry as it was read last. What is wrong with it is told once. One thread at
 * a time.
 */
final class RegisteredTopics {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredTopics.class);

  private final HalfIntakeConfig config;
  private final IntakeTopics registry;
  private final TimeSource time;
  private Map<String, Records> topics = Map.of();
  private boolean looked;
  private long lookedNanos;

  // what was told, as long as it lasts
  private boolean unreadable;
  private boolean tooMany;
  private Set<String> refused = Set.of();
  private Set<String> missing = Set.of();

  private RegisteredTopics(HalfIntakeConfig config, IntakeTopics registry, TimeSource time) {
    this.config = config;
    this.registry = registry;
    this.time = time;
  }

  /** Without a registry. */
  static RegisteredTopics none(HalfIntakeConfig config) {
    if (config.registryInterval() != null) {
      throw fault(config.registryInterval(), "none, as no registry is given");
    }
    return new RegisteredTopics(config, List::of, TimeSource.SYSTEM);
  }

  static RegisteredTopics of(HalfIntakeConfig config, IntakeTopics registry, TimeSource time) {
    if (config.registryInterval() == null) {
      throw fault(null, "how often the registry is read that is given");
    }
    return new RegisteredTopics(config, registry, time);
  }

  private static ConfigurationException fault(@Nullable Duration value, String expected) {
    String shown = value == null ? "none" : DurationText.of(value);
    return new ConfigurationException(
        List.of("half-intake.registry.interval: " + shown + " (expected: " + expected + ")"));
  }

  /** Reads the registry if it is time to, and says whether it was. Blocks. */
  boolean look() {
    if (!isDue()) {
      return false;
    }
    lookedNanos = time.nanoTime();
    try {
      accept(registry.all());
      tellReadable();
    } catch (RuntimeException e) { // of anybody's registry
      tellUnreadable(e);
    }
    looked = true;
    return true;
  }

  private boolean isDue() {
    Duration interval = config.registryInterval();
    return interval != null && (!looked || time.nanoTime() - lookedNanos >= interval.toNanos());
  }

  /** Returns the names of the registered topics that are to be read. */
  Set<String> names() {
    return topics.keySet();
  }

  /** Which records of a topic are half messages, be it configured or registered. */
  Records records(String topic) {
    return config.topics().contains(topic)
        ? config.records()
        : topics.getOrDefault(topic, config.records());
  }

  private void accept(List<IntakeTopic> registered) {
    Map<String, Records> accepted = new TreeMap<>();
    Set<String> wrong = new HashSet<>();
    for (IntakeTopic each : withinTheLimit(registered)) {
      String topic = each.topic();
      if (!IntakeTopic.isName(topic) || topic.equals(config.deadLetterTopic())) {
        wrong.add(topic);
        tellRefused(topic);
      } else if (each.enabled()) {
        accepted.put(topic, each.onlyMarked() ? Records.MARKED : Records.ALL);
      }
    }
    refused = wrong;
    if (!accepted.equals(topics)) {
      LOG.info(
          "Half messages are taken from registered topics: {}",
          TopicsInLog.difference(topics, accepted));
    }
    topics = accepted;
  }

  private List<IntakeTopic> withinTheLimit(List<IntakeTopic> registered) {
    boolean beyond = registered.size() > IntakeTopics.TOPICS_MAX;
    if (beyond && !tooMany) {
      LOG.warn(
          "More than {} topics are registered; those that came last are passed over, until others"
              + " are removed",
          IntakeTopics.TOPICS_MAX);
    }
    tooMany = beyond;
    return beyond ? registered.subList(0, IntakeTopics.TOPICS_MAX) : registered;
  }

  private void tellRefused(String topic) {
    if (!refused.contains(topic)) {
      LOG.warn(
          "Registered topic '{}' is passed over: {}",
          TopicsInLog.shown(topic),
          IntakeTopic.isName(topic)
              ? "this intake puts there what it cannot take"
              : "no topic of an application can have this name (expected: 1..249 of"
                  + " a-z A-Z 0-9 . _ -, and not Kafka's own)");
    }
  }

  private void tellReadable() {
    if (unreadable) {
      LOG.info("The registry of topics can be read again");
      unreadable = false;
    }
  }

  private void tellUnreadable(RuntimeException reason) {
    if (unreadable) {
      LOG.debug("The registry of topics cannot be read yet", reason);
    } else {
      LOG.warn(
          "The registry of topics cannot be read now; half messages are taken from those that are"
              + " known, {}: {}",
          TopicsInLog.some(topics.keySet()),
          reason.toString());
    }
    unreadable = true;
  }

  /**
   * Says which of them Kafka has not.
   *
   * @param now of those that are to be read
   */
  void tellMissing(Set<String> now) {
    for (String topic : now) {
      if (!missing.contains(topic)) {
        LOG.warn(
            "Registered topic {} is not in Kafka, or may not be seen by this account; it is looked"
                + " for again",
            topic);
      }
    }
    Set<String> found = new TreeSet<>(missing);
    found.removeAll(now);
    found.retainAll(topics.keySet());
    if (!found.isEmpty()) {
      LOG.info("Registered topics {} are in Kafka now", TopicsInLog.some(found));
    }
    missing = now;
  }
}
