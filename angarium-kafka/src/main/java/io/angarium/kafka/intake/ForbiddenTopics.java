package io.angarium.kafka.intake;

import io.angarium.TimeSource;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.ProducerSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of half messages that this account may not read. They are left out, as Kafka's client
 * reads all of its topics or none, and the broker is asked from time to time whether they may be
 * read now: to try it would be a rebalance of the group each time. One thread at a time.
 */
final class ForbiddenTopics {
  /** How often the broker is asked, while there are some. */
  static final Duration INTERVAL = Duration.ofSeconds(30);

  private static final int ASK_MILLIS_MAX = 5_000;
  private static final Logger LOG = LoggerFactory.getLogger(ForbiddenTopics.class);

  private final KafkaConfig kafka;
  private final TimeSource time;
  private Set<String> names = Set.of();
  private long lookedNanos;

  ForbiddenTopics(KafkaConfig kafka, TimeSource time) {
    this.kafka = kafka;
    this.time = time;
  }

  Set<String> names() {
    return names;
  }

  /** Notes topics that the broker has refused, and says whether one of them is new. */
  boolean add(Set<String> refused) {
    Set<String> all = new TreeSet<>(names);
    if (names.isEmpty()) {
      lookedNanos = time.nanoTime();
    }
    for (String topic : refused) {
      if (all.add(topic)) {
        LOG.warn(
            "No half messages are taken from topic {}, as this account may not read it. Grant READ"
                + " on it, or take its registration away; the other topics are read meanwhile",
            topic);
      }
    }
    boolean changed = all.size() > names.size();
    names = all;
    return changed;
  }

  /**
   * Asks the broker if it is time to, and says whether there are fewer now. Blocks for 5 s at most.
   *
   * @param wanted whether a topic is to be read if it can be
   */
  boolean look(Predicate<String> wanted) throws InterruptedException {
    if (names.isEmpty() || time.nanoTime() - lookedNanos < INTERVAL.toNanos()) {
      return false;
    }
    lookedNanos = time.nanoTime();
    Set<String> still = new TreeSet<>(names);
    still.removeIf(wanted.negate());
    Set<String> permitted = permitted(still);
    still.removeAll(permitted);
    if (!permitted.isEmpty()) {
      LOG.info("Topics {} of half messages may be read now", permitted);
    }
    boolean fewer = still.size() < names.size();
    names = still;
    return fewer;
  }

  private Set<String> permitted(Set<String> topics) throws InterruptedException {
    if (topics.isEmpty()) {
      return Set.of();
    }
    Admin admin = null;
    try {
      admin = Admin.create(ProducerSettings.admin(kafka, "rights", ASK_MILLIS_MAX));
      return permitted(admin, topics);
    } catch (KafkaException | ExecutionException | TimeoutException e) {
      LOG.debug("The broker does not say which of {} may be read", topics, e);
      return Set.of();
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
  }

  private static Set<String> permitted(Admin admin, Set<String> topics)
      throws InterruptedException, ExecutionException, TimeoutException {
    DescribeTopicsOptions withRights =
        new DescribeTopicsOptions().includeAuthorizedOperations(true);
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin.describeTopics(topics, withRights).topicNameValues();
    Set<String> permitted = new TreeSet<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> answer : answers.entrySet()) {
      if (isPermitted(answer.getValue())) {
        permitted.add(answer.getKey());
      }
    }
    return permitted;
  }

  /** A topic that is gone forbids nothing any more. */
  private static boolean isPermitted(KafkaFuture<TopicDescription> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    try {
      Set<AclOperation> rights =
          answer.get(ASK_MILLIS_MAX, TimeUnit.MILLISECONDS).authorizedOperations();
      return rights == null || rights.contains(AclOperation.READ);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return true;
      }
      if (e.getCause() instanceof TopicAuthorizationException) {
        return false;
      }
      throw e;
    }
  }
}
