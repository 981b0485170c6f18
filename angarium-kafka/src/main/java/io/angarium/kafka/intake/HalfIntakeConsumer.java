package io.angarium.kafka.intake;

import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toSet;

import io.angarium.kafka.ConsumerSettings;
import io.angarium.kafka.KafkaConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer of the topics of half messages, which may change; reads from the last committed
 * offsets on. One thread at a time.
 */
final class HalfIntakeConsumer implements AutoCloseable {
  private static final Duration COMMIT_MAX = Duration.ofSeconds(10);
  private static final Duration LIST_MAX = Duration.ofSeconds(5);
  private static final Duration CLOSE_MAX = Duration.ofSeconds(3);

  /** Where nothing is configured nor registered: a consumer must be subscribed to be polled. */
  private static final String NO_TOPIC = "(?!)";

  private static final Logger LOG = LoggerFactory.getLogger(HalfIntakeConsumer.class);

  private final HalfIntakeConfig config;
  private final KafkaConsumer<byte[], byte[]> client;
  private Pattern all = Pattern.compile(NO_TOPIC);
  private Pattern subscribed = Pattern.compile(NO_TOPIC);

  HalfIntakeConsumer(KafkaConfig kafka, HalfIntakeConfig config) {
    this.config = config;
    Map<String, Object> settings = ConsumerSettings.of(kafka, config.group());
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, config.batchMax());
    this.client =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    client.subscribe(subscribed);
  }

  /**
   * Reads the configured topics and these from now on, and no others.
   *
   * @param forbidden those that are left out all the same
   */
  void read(Set<String> registered, Set<String> forbidden) {
    all = pattern(registered);
    Pattern wanted = without(forbidden);
    if (!wanted.pattern().equals(subscribed.pattern())) {
      client.subscribe(wanted);
      subscribed = wanted;
      hold(wanted);
    }
  }

  /** Whether a topic is configured or registered, be it forbidden or not. */
  boolean isWanted(String topic) {
    return all.matcher(topic).matches();
  }

  private Pattern without(Set<String> forbidden) {
    if (forbidden.isEmpty()) {
      return all;
    }
    String names = String.join("|", forbidden.stream().map(Pattern::quote).toList());
    return Pattern.compile("(?!(?:" + names + ")$)(?:" + all.pattern() + ")");
  }

  /** Names and pattern as one, as Kafka's client takes only either. */
  private Pattern pattern(Set<String> registered) {
    Set<String> names = new TreeSet<>(config.topics());
    names.addAll(registered);
    List<String> quoted = names.stream().map(Pattern::quote).toList();
    String all = String.join("|", quoted);
    if (config.topicPattern() == null) {
      return Pattern.compile(all.isEmpty() ? NO_TOPIC : all);
    }
    String pattern = "(?:" + config.topicPattern() + ")";
    return Pattern.compile(all.isEmpty() ? pattern : all + "|" + pattern);
  }

  /**
   * Resumes the partitions of wanted topics and pauses all others. Kafka revokes and assigns
   * partitions only at some later poll. Until then nobody knows which records of the other topics
   * count.
   */
  private void hold(Pattern wanted) {
    Map<Boolean, Set<TopicPartition>> assigned =
        client.assignment().stream()
            .collect(partitioningBy(each -> wanted.matcher(each.topic()).matches(), toSet()));
    client.resume(assigned.getOrDefault(true, Set.of()));
    client.pause(assigned.getOrDefault(false, Set.of()));
  }

  /**
   * Which of these topics Kafka has not; those that it has by now are read. Blocks for 5 s at most.
   *
   * @param forbidden those that it has, but not for us
   * @return empty if Kafka does not answer in time
   */
  Optional<Set<String>> missing(Set<String> registered, Set<String> forbidden) {
    Set<String> missing = new TreeSet<>(registered);
    missing.removeAll(forbidden);
    missing.removeAll(client.subscription());
    if (missing.isEmpty()) {
      return Optional.of(missing);
    }
    try {
      if (missing.removeAll(client.listTopics(LIST_MAX).keySet())) {
        client.subscribe(subscribed); // looks now for topics that fit; else in five minutes
      }
      return Optional.of(missing);
    } catch (TimeoutException e) {
      LOG.debug("Kafka does not say in time which topics it has", e);
      return Optional.empty();
    }
  }

  /** Which topics Kafka has and this account sees; empty if it does not answer within 5 s. */
  Optional<Set<String>> topics() {
    try {
      return Optional.of(client.listTopics(LIST_MAX).keySet());
    } catch (TimeoutException e) {
      LOG.debug("Kafka does not say in time which topics it has", e);
      return Optional.empty();
    }
  }

  /** Records of the partitions that this node reads and has not read yet, as far as is known. */
  long lag() {
    long lag = 0;
    for (TopicPartition partition : client.assignment()) {
      lag += client.currentLag(partition).orElse(0);
    }
    return lag;
  }

  /**
   * What came since the last time, or nothing.
   *
   * @param longest time to wait for something
   * @throws org.apache.kafka.common.errors.TopicAuthorizationException naming topics that may not
   *     be read; nothing is skipped
   */
  ConsumerRecords<byte[], byte[]> poll(Duration longest) {
    return client.poll(longest);
  }

  /** True if the group has taken it in; the generation is below zero before. */
  boolean isMember() {
    return client.groupMetadata().generationId() >= 0;
  }

  /**
   * Commits the offsets of all polled records.
   *
   * @throws org.apache.kafka.common.errors.TopicAuthorizationException naming the topics whose
   *     offsets are not committed; the offsets of the other topics are
   */
  void commit() {
    client.commitSync(COMMIT_MAX);
  }

  /** Will read the records of these partitions once more, but not before {@link #goOn}. */
  void rest(ConsumerRecords<byte[], byte[]> records, Set<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      client.seek(partition, records.records(partition).get(0).offset());
    }
    client.pause(partitions);
  }

  /** Reads resting partitions again if they still belong to this node and are subscribed. */
  void goOn(Set<TopicPartition> partitions) {
    Set<TopicPartition> resting = new HashSet<>(partitions);
    resting.retainAll(client.assignment());
    resting.removeIf(each -> !subscribed.matcher(each.topic()).matches());
    client.resume(resting);
  }

  /** Whether a partition is this node's and may have records that were not polled. */
  boolean isAhead(TopicPartition partition) {
    return client.assignment().contains(partition) && client.currentLag(partition).orElse(1) > 0;
  }

  @Override
  @SuppressWarnings("deprecation") // what took its place is missing in clients before 4.1
  public void close() {
    try {
      client.close(CLOSE_MAX);
    } catch (RuntimeException e) {
      LOG.debug("The consumer of half messages failed closing", e);
    }
  }
}
