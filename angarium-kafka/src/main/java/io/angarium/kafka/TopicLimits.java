package io.angarium.kafka;

import io.angarium.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the broker for a topic's limit once it has refused a record as too large, so that the reason
 * can name both numbers. Without the right to ask, the reason names one. Thread-safe.
 */
final class TopicLimits implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicLimits.class);
  private static final int WAITING_MAX = 10_000;
  private static final int ASK_MILLIS_MAX = 1_000;

  /** So many answers are remembered; then it begins anew. */
  static final int ANSWERS_MAX = 1_000;

  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  private record Answer(OptionalLong limit, long atNanos) {}

  private final KafkaConfig config;
  private final KafkaDiagnosis diagnosis;
  private final TimeSource time;
  private final Function<String, OptionalLong> broker;
  private final ThreadPoolExecutor thread;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();

  TopicLimits(KafkaConfig config, KafkaDiagnosis diagnosis, TimeSource time) {
    this(config, diagnosis, time, topic -> ask(config, topic));
  }

  /**
   * @param broker tells the limit of a topic; may block for a second
   */
  TopicLimits(
      KafkaConfig config,
      KafkaDiagnosis diagnosis,
      TimeSource time,
      Function<String, OptionalLong> broker) {
    this.config = config;
    this.diagnosis = diagnosis;
    this.time = time;
    this.broker = broker;
    this.thread =
        new ThreadPoolExecutor(
            1, 1, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), this::newThread);
    thread.allowCoreThreadTimeOut(true);
  }

  private Thread newThread(Runnable work) {
    Thread created = new Thread(work, config.clientId() + "-limits");
    created.setDaemon(true);
    return created;
  }

  /** Gives the attempt its result later: Refused, with the topic's limit if it can be had. */
  void refuse(KafkaAttempt attempt, Exception error) {
    try {
      thread.execute(() -> refuseNow(attempt, limit(attempt.topic().name), error));
    } catch (RejectedExecutionException e) {
      refuseNow(attempt, OptionalLong.empty(), error);
    }
  }

  private void refuseNow(KafkaAttempt attempt, OptionalLong limit, Exception error) {
    attempt.decide(diagnosis.tooLarge(attempt.message(), limit, error));
  }

  OptionalLong limit(String topic) {
    Answer known = answers.get(topic);
    if (known != null && time.nanoTime() - known.atNanos() < REMEMBERED.toNanos()) {
      return known.limit();
    }
    if (answers.size() >= ANSWERS_MAX) {
      answers.clear();
    }
    OptionalLong limit = broker.apply(topic);
    answers.put(topic, new Answer(limit, time.nanoTime()));
    return limit;
  }

  /** Answers remembered. */
  int size() {
    return answers.size();
  }

  private static OptionalLong ask(KafkaConfig config, String topic) {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Admin admin = null;
    try {
      admin = Admin.create(ProducerSettings.admin(config, "limits", ASK_MILLIS_MAX));
      Config found =
          admin
              .describeConfigs(Set.of(resource))
              .all()
              .get(ASK_MILLIS_MAX, TimeUnit.MILLISECONDS)
              .get(resource);
      ConfigEntry limit = found == null ? null : found.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
      return limit == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(limit.value()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      LOG.debug("The limit of topic {} cannot be asked for", topic, e);
      return OptionalLong.empty();
    } finally {
      if (admin != null) {
        admin.close(Duration.ZERO);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
