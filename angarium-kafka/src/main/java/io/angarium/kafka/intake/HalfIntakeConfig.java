package io.angarium.kafka.intake;

import io.angarium.ConfigFaults;
import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * From which Kafka topics half messages are taken, and how they are told from other records. Start
 * with {@link #ofTopics} or {@link #ofPattern} and change parts, each giving a copy. Immutable.
 *
 * @param topics by name; may be empty if there is a pattern or a registry
 * @param topicPattern a regular expression for the whole name of further topics, e.g. {@code
 *     half-.*}; topics that are created later are found within five minutes. Null for none
 * @param records which records of those topics are half messages
 * @param deadLetterTopic where records go that cannot be taken; must exist, and not be read here
 * @param group of consumers, the same on every node; 1..200 characters; default {@code
 *     angarium-half}
 * @param batchMax records that are read and stored at a time, 1..5 000; default 500. More than 500,
 *     or 4 MiB, take several transactions of the database
 * @param forwardTransport what comes before {@code forwardTopic} in a destination, for records in
 *     JSON; default {@code kafka}
 * @param retryPause how long until a batch is tried again that the database did not take, 10 ms..1
 *     min; default 1 s
 * @param registryInterval how often the {@linkplain io.angarium.half.intake.IntakeTopics registry}
 *     of further topics is read, 1 s..1 h; null for no registry
 */
public record HalfIntakeConfig(
    Set<String> topics,
    @Nullable String topicPattern,
    Records records,
    String deadLetterTopic,
    String group,
    int batchMax,
    String forwardTransport,
    Duration retryPause,
    @Nullable Duration registryInterval) {

  /** How often a registry is read unless something else is said. */
  public static final Duration REGISTRY_INTERVAL = Duration.ofSeconds(10);

  /** Which records are half messages. */
  public enum Records {
    /** All of them: the topics are for half messages only. Those without headers are JSON. */
    ALL,
    /** Only records with the header {@link HalfIntakeFormat#STEP}; others are skipped. */
    MARKED
  }

  private static final int GROUP_LENGTH_MAX = 200;
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public HalfIntakeConfig {
    topics = Set.copyOf(topics);
    ConfigFaults faults = new ConfigFaults();
    faults
        .require(
            !topics.isEmpty() || topicPattern != null || registryInterval != null,
            "half-intake.topics",
            "none",
            "at least one, a topic-pattern, or the registry")
        .require(
            isTopic(deadLetterTopic),
            "half-intake.dead-letter-topic",
            "'" + deadLetterTopic + "'",
            "the name of a topic")
        .require(
            !group.isBlank() && group.length() <= GROUP_LENGTH_MAX,
            "half-intake.group",
            "'" + group + "'",
            "1.." + GROUP_LENGTH_MAX + " characters")
        .range("half-intake.batch-max", batchMax, 1, 5_000)
        .range("half-intake.retry-pause", retryPause, Duration.ofMillis(10), Duration.ofMinutes(1))
        .require(
            isTransport(forwardTransport),
            "half-intake.forward-transport",
            "'" + forwardTransport + "'",
            "the name of a transport, e.g. kafka");
    for (String topic : topics) {
      faults.require(
          isTopic(topic), "half-intake.topics", "'" + topic + "'", "the name of a topic");
    }
    if (registryInterval != null) {
      faults.range(
          "half-intake.registry.interval",
          registryInterval,
          Duration.ofSeconds(1),
          Duration.ofHours(1));
    }
    checkPattern(topicPattern, faults);
    faults
        .require(
            !topics.contains(deadLetterTopic) && !matches(topicPattern, deadLetterTopic),
            "half-intake.dead-letter-topic",
            "'" + deadLetterTopic + "'",
            "a topic that is not among those that are read")
        .throwIfAny();
  }

  private static boolean isTopic(String name) {
    return TOPIC.matcher(name).matches();
  }

  private static boolean isTransport(String name) {
    try {
      return new Destination(name, "x").transport().equals(name);
    } catch (InvalidMessageException e) {
      return false;
    }
  }

  private static void checkPattern(@Nullable String pattern, ConfigFaults faults) {
    if (pattern != null) {
      try {
        Pattern.compile(pattern);
      } catch (PatternSyntaxException e) {
        faults.add(
            "half-intake.topic-pattern: '"
                + pattern
                + "' (expected: a regular expression; "
                + e.getDescription()
                + ")");
      }
    }
  }

  private static boolean matches(@Nullable String pattern, String topic) {
    try {
      return pattern != null && Pattern.matches(pattern, topic);
    } catch (PatternSyntaxException e) {
      return false; // has been told
    }
  }

  /** The defaults, for topics that hold half messages only. */
  public static HalfIntakeConfig ofTopics(String deadLetterTopic, Collection<String> topics) {
    return of(Set.copyOf(topics), null, deadLetterTopic, null);
  }

  /** The defaults, for topics that hold half messages only and are known by their names. */
  public static HalfIntakeConfig ofPattern(String deadLetterTopic, String topicPattern) {
    return of(Set.of(), topicPattern, deadLetterTopic, null);
  }

  /** The defaults, for topics that are registered, and no others. */
  public static HalfIntakeConfig ofRegistry(String deadLetterTopic) {
    return of(Set.of(), null, deadLetterTopic, REGISTRY_INTERVAL);
  }

  private static HalfIntakeConfig of(
      Set<String> topics,
      @Nullable String topicPattern,
      String deadLetterTopic,
      @Nullable Duration registryInterval) {
    return new HalfIntakeConfig(
        topics,
        topicPattern,
        Records.ALL,
        deadLetterTopic,
        "angarium-half",
        500,
        "kafka",
        Duration.ofSeconds(1),
        registryInterval);
  }

  /** A copy that takes other records. */
  public HalfIntakeConfig records(Records records) {
    return new HalfIntakeConfig(
        topics,
        topicPattern,
        records,
        deadLetterTopic,
        group,
        batchMax,
        forwardTransport,
        retryPause,
        registryInterval);
  }

  /** A copy with another group. */
  public HalfIntakeConfig group(String group) {
    return new HalfIntakeConfig(
        topics,
        topicPattern,
        records,
        deadLetterTopic,
        group,
        batchMax,
        forwardTransport,
        retryPause,
        registryInterval);
  }

  /** A copy with other batches. */
  public HalfIntakeConfig batchMax(int batchMax) {
    return new HalfIntakeConfig(
        topics,
        topicPattern,
        records,
        deadLetterTopic,
        group,
        batchMax,
        forwardTransport,
        retryPause,
        registryInterval);
  }

  /** A copy with another pause. */
  public HalfIntakeConfig retryPause(Duration retryPause) {
    return new HalfIntakeConfig(
        topics,
        topicPattern,
        records,
        deadLetterTopic,
        group,
        batchMax,
        forwardTransport,
        retryPause,
        registryInterval);
  }

  /** A copy that reads a registry as well, so often. */
  public HalfIntakeConfig registryInterval(Duration registryInterval) {
    return new HalfIntakeConfig(
        topics,
        topicPattern,
        records,
        deadLetterTopic,
        group,
        batchMax,
        forwardTransport,
        retryPause,
        registryInterval);
  }
}
