package io.angarium.kafka.intake;

import io.angarium.InvalidMessageException;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.background.internal.RepeatingTask;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.half.intake.IntakeTopics;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.intake.IntakeDeadLetters.Poison;
import io.angarium.store.WriteRefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes half messages that producers prepare, commit and roll back through Kafka, on a thread of
 * its own; {@link HalfIntakeFormat} says what their records look like. The records of a batch are
 * stored together, offsets are committed after that, so a record is taken once or more often, which
 * makes no difference. A decision that comes before its message is remembered. What was sent in a
 * Kafka transaction is taken when that is committed, and never if it is aborted.
 *
 * <p>A record that cannot be taken goes to the topic of dead letters with the reason, and the
 * others go on: one that cannot be read or is not permitted, one that the database refuses again
 * and again while it takes others, and a commit or rollback that comes after the opposite. Until
 * then it holds its partition only. While the database or that topic is away nothing is taken and
 * nothing lost. A topic that the account may not read is told and left out until it may. Every node
 * may have an intake, in the same group. Thread-safe.
 */
public final class KafkaHalfIntake implements AutoCloseable {
  /** How often the database may refuse a record while it takes others. */
  static final int REFUSALS_MAX = 10;

  /** Without records, registry and end are looked at as often as that. */
  private static final Duration POLL = Duration.ofMillis(500);

  /** How often in a row the broker may refuse topics that are left out already. */
  private static final int REPEATS_MAX = 10;

  /** So long the intake must have read after it failed reading, until it counts as working. */
  private static final Duration SETTLED = Duration.ofSeconds(30);

  /**
   * A refusal that took so long waited for a lock, and would again in each part with its record.
   */
  private static final Duration SLOW = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(KafkaHalfIntake.class);

  private final KafkaConfig kafka;
  private final HalfIntakeConfig config;
  private final HalfMessages half;
  private final HalfRecordReading reading;
  private final RegisteredTopics registered;
  private final ForbiddenTopics forbidden;
  private final TimeSource time;
  private final Duration poll;
  private final RepeatingTask rounds;

  /** By record, as long as it is not taken. One thread. */
  private final Map<Place, Refusals> refusals = new HashMap<>();

  private final HeldPartitions held;

  /** Calls that the database took. One thread. */
  private long stored;

  /** Why nothing is taken now; null if that is not so. */
  private volatile @Nullable String trouble;

  /** Whether it was a member of its group when it failed: then a record may stand in the way. */
  private boolean failedReading;

  private boolean absenceTold;
  private final AtomicLong recordsTaken = new AtomicLong();
  private final AtomicLong recordsRefused = new AtomicLong();
  private volatile long lag;
  private int repeats;

  private record Place(TopicPartition partition, long offset) {}

  /** How often a record was refused, and what had been stored by the last time. */
  private record Refusals(int times, long stored) {}

  private KafkaHalfIntake(
      KafkaConfig kafka,
      HalfIntakeConfig config,
      HalfMessages half,
      RegisteredTopics registered,
      TimeSource time,
      Duration poll) {
    this.kafka = kafka;
    this.config = config;
    this.half = half;
    this.reading = new HalfRecordReading(config.forwardTransport());
    this.registered = registered;
    this.forbidden = new ForbiddenTopics(kafka, time);
    this.time = time;
    this.poll = poll;
    this.held = new HeldPartitions(config.retryPause());
    this.rounds =
        new RepeatingTask(
            "angarium-half-intake",
            "The intake of half messages from Kafka",
            config.retryPause(),
            this::readUntilItFails);
  }

  /**
   * Starts taking; while that cannot be done it is tried again, and logged. A topic that is missing
   * is waited for.
   *
   * @param kafka how to reach the cluster
   * @param half where they are kept; not closed by this
   * @throws io.angarium.ConfigurationException if the configuration wants a registry
   */
  public static KafkaHalfIntake start(
      KafkaConfig kafka, HalfIntakeConfig config, HalfMessages half) {
    return start(kafka, config, half, RegisteredTopics.none(config), TimeSource.SYSTEM, POLL);
  }

  /**
   * Starts with a registry of topics, in addition to the topics of the configuration. The intake
   * reads the registry again and again. It starts to read a topic when it is registered, from the
   * position of the group, at first from the topic's beginning. It stops when the topic is no
   * longer registered. While the registry cannot be read, the known topics stay. A topic that is
   * registered, and configured by its name, counts as configured.
   *
   * @param time measures how long ago the registry was read, and forbidden topics were asked for
   * @throws io.angarium.ConfigurationException if the configuration does not say how often
   */
  public static KafkaHalfIntake start(
      KafkaConfig kafka,
      HalfIntakeConfig config,
      HalfMessages half,
      IntakeTopics registry,
      TimeSource time) {
    return start(kafka, config, half, registry, time, POLL);
  }

  static KafkaHalfIntake start(
      KafkaConfig kafka,
      HalfIntakeConfig config,
      HalfMessages half,
      IntakeTopics registry,
      TimeSource time,
      Duration poll) {
    return start(kafka, config, half, RegisteredTopics.of(config, registry, time), time, poll);
  }

  private static KafkaHalfIntake start(
      KafkaConfig kafka,
      HalfIntakeConfig config,
      HalfMessages half,
      RegisteredTopics registered,
      TimeSource time,
      Duration poll) {
    KafkaHalfIntake intake = new KafkaHalfIntake(kafka, config, half, registered, time, poll);
    intake.rounds.start(Duration.ZERO);
    LOG.info(
        "Half messages are taken from Kafka: topics {}, pattern {}, registry {}, group {}",
        config.topics(),
        config.topicPattern() == null ? "none" : config.topicPattern(),
        config.registryInterval() == null ? "off" : "on",
        config.group());
    return intake;
  }

  private void readUntilItFails() throws InterruptedException {
    if (rounds.isClosed()) {
      return;
    }
    long beginNanos = time.nanoTime();
    boolean member = false;
    held.clear(); // the consumer is a new one
    try (IntakeDeadLetters deadLetters = new IntakeDeadLetters(kafka, config.deadLetterTopic());
        HalfIntakeConsumer consumer = new HalfIntakeConsumer(kafka, config)) {
      boolean first = true;
      while (!rounds.isClosed()) {
        boolean permitted = !first && forbidden.look(consumer::isWanted); // knows none before
        if (registered.look() || permitted || first) {
          subscribe(consumer);
          first = false;
          tellAbsence(consumer);
        }
        readPermitted(consumer, deadLetters);
        if (consumer.isMember()) { // before, a poll only says that there is no answer yet
          member = true;
          worked(beginNanos);
        }
      }
    } catch (RuntimeException | Error e) { // a codec that is missing is an error
      failedReading = member;
      trouble = e.toString();
      throw e;
    }
  }

  /** A record in the way is met again soon, perhaps after others that could be taken. */
  private void worked(long beginNanos) {
    if (failedReading && time.nanoTime() - beginNanos < SETTLED.toNanos()) {
      return;
    }
    failedReading = false;
    trouble = null;
    rounds.worked();
  }

  /**
   * Why records are not taken now, e.g. one that cannot be read and keeps back those after it, or
   * one that the database does not take and that holds its partition; empty while all are. For a
   * health check.
   */
  public Optional<String> trouble() {
    return Optional.ofNullable(trouble).or(held::trouble);
  }

  private void subscribe(HalfIntakeConsumer consumer) {
    Set<String> names = registered.names();
    consumer.read(names, forbidden.names());
    consumer.missing(names, forbidden.names()).ifPresent(registered::tellMissing);
  }

  /** Once, as what is created later is found without being told. */
  private void tellAbsence(HalfIntakeConsumer consumer) {
    Optional<Set<String>> there = absenceTold ? Optional.empty() : consumer.topics();
    if (there.isEmpty()) {
      return;
    }
    absenceTold = true;
    Set<String> known = there.get();
    if (!known.contains(config.deadLetterTopic())) {
      LOG.warn(
          "The topic {} for dead letters of the intake is not in Kafka, or may not be seen by this"
              + " account: create it, as the first record that cannot be taken holds up the others"
              + " until it is there",
          config.deadLetterTopic());
    }
    Set<String> missing = new TreeSet<>(config.topics());
    missing.removeAll(known);
    if (!missing.isEmpty()) {
      LOG.warn(
          "Topics {} of the intake are not in Kafka, or may not be seen by this account; they are"
              + " read when they are there",
          TopicsInLog.some(missing));
    }
    String pattern = config.topicPattern();
    if (pattern != null && known.stream().noneMatch(name -> Pattern.matches(pattern, name))) {
      LOG.warn(
          "No topic of Kafka that this account may see fits the pattern {} of the intake; topics"
              + " that are created later are found within five minutes",
          pattern);
    }
  }

  /** Records that were taken since the start: calls for half messages that are stored. */
  public long recordsTaken() {
    return recordsTaken.get();
  }

  /** Records since the start that could not be taken, and are dead letters. */
  public long recordsRefused() {
    return recordsRefused.get();
  }

  /** Records that this node has still to read, when it looked last. */
  public long lag() {
    return lag;
  }

  /** One topic that may not be read does not stop the others. */
  private void readPermitted(HalfIntakeConsumer consumer, IntakeDeadLetters deadLetters)
      throws InterruptedException {
    try {
      readOnce(consumer, deadLetters);
      repeats = 0;
    } catch (TopicAuthorizationException e) {
      if (forbidden.add(e.unauthorizedTopics())) {
        consumer.read(registered.names(), forbidden.names());
      } else if (++repeats > REPEATS_MAX) {
        repeats = 0;
        throw e; // to begin with a new consumer
      } else {
        rounds.rest(); // an answer that was under way
      }
    }
  }

  private void readOnce(HalfIntakeConsumer consumer, IntakeDeadLetters deadLetters)
      throws InterruptedException {
    consumer.goOn(held.due(time.nanoTime()));
    boolean soon = !held.isEmpty() && config.retryPause().compareTo(poll) < 0;
    ConsumerRecords<byte[], byte[]> records = consumer.poll(soon ? config.retryPause() : poll);
    lag = consumer.lag();
    held.retain(partition -> consumer.isAhead(partition) || !records.records(partition).isEmpty());
    if (records.isEmpty()) {
      return;
    }
    Map<TopicPartition, StoreException> waiting = take(records, deadLetters);
    if (!waiting.isEmpty()) {
      consumer.rest(records, waiting.keySet());
    }
    held.note(records.partitions(), waiting, time.nanoTime()); // first: a commit may be refused
    if (waiting.size() < records.partitions().size()) {
      consumer.commit();
    }
  }

  private record Taken(ConsumerRecord<byte[], byte[]> record, HalfCall call) {}

  /**
   * Stores what can be stored and makes dead letters of what never can.
   *
   * @return the partitions that must be read once more, with the reason
   */
  private Map<TopicPartition, StoreException> take(
      ConsumerRecords<byte[], byte[]> records, IntakeDeadLetters deadLetters)
      throws InterruptedException {
    List<Taken> readable = new ArrayList<>();
    List<Poison> poison = new ArrayList<>();
    List<TopicPartition> calls = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        Optional<HalfCall> call = reading.read(record, registered.records(record.topic()));
        if (call.isPresent()) {
          readable.add(new Taken(record, call.get()));
          calls.add(partition(record));
        }
      } catch (InvalidMessageException e) {
        poison.add(new Poison(record, String.valueOf(e.getMessage())));
        calls.add(partition(record));
      }
    }
    Map<TopicPartition, StoreException> waiting = take(readable, poison);
    poison.removeIf(each -> waiting.containsKey(partition(each.record()))); // will come again
    calls.removeIf(waiting::containsKey);
    if (!poison.isEmpty()) {
      deadLetters.add(poison);
    }
    recordsRefused.addAndGet(poison.size());
    recordsTaken.addAndGet(calls.size() - poison.size());
    return waiting;
  }

  /**
   * What the database refuses while it takes others is held against the record, and not to them. A
   * database that takes nothing at all is to blame itself.
   */
  private Map<TopicPartition, StoreException> take(List<Taken> readable, List<Poison> poison) {
    if (readable.isEmpty()) {
      return Map.of();
    }
    Set<TopicPartition> read =
        readable.stream().map(each -> partition(each.record())).collect(Collectors.toSet());
    Map<Taken, StoreException> refused = new LinkedHashMap<>();
    long before = stored;
    try {
      takeTogether(readable, poison, refused);
    } catch (StoreException away) {
      return read.stream().collect(Collectors.toMap(Function.identity(), each -> away));
    }
    Map<TopicPartition, StoreException> waiting = refusedSeldom(refused, poison, before);
    read.removeAll(waiting.keySet());
    refusals.keySet().removeIf(place -> read.contains(place.partition()));
    return waiting;
  }

  private static TopicPartition partition(ConsumerRecord<?, ?> record) {
    return new TopicPartition(record.topic(), record.partition());
  }

  /** In halves of halves where one stands in the way, so that few are taken one by one. */
  private void takeTogether(
      List<Taken> calls, List<Poison> poison, Map<Taken, StoreException> refused) {
    long beginNanos = time.nanoTime();
    try {
      List<HalfAnswer> answers = half.callAll(calls.stream().map(Taken::call).toList());
      int refusedBefore = poison.size();
      for (int i = 0; i < answers.size(); i++) {
        note(calls.get(i), answers.get(i), poison);
      }
      stored += answers.size() - (poison.size() - refusedBefore);
    } catch (InvalidMessageException | NotPermittedException e) {
      if (calls.size() > 1) {
        takeParts(calls, half(calls), poison, refused);
      } else {
        poison.add(new Poison(calls.get(0).record(), String.valueOf(e.getMessage())));
      }
    } catch (StoreException e) {
      HalfState unused = half.state(calls.get(0).call().key()); // throws if the database is away
      if (calls.size() > 1) {
        boolean slow = time.nanoTime() - beginNanos > SLOW.toNanos();
        takeParts(calls, slow ? 1 : half(calls), poison, refused);
      } else {
        refused.put(calls.get(0), e);
      }
    }
  }

  private static int half(List<Taken> calls) {
    return (calls.size() + 1) / 2;
  }

  private void takeParts(
      List<Taken> calls, int size, List<Poison> poison, Map<Taken, StoreException> refused) {
    LOG.debug("A batch of {} is taken in parts of {}", calls.size(), size);
    for (int from = 0; from < calls.size(); from += size) {
      takeTogether(calls.subList(from, Math.min(calls.size(), from + size)), poison, refused);
    }
  }

  /**
   * A refusal counts if the database took another record in the same read; one that is for good
   * also if it took one since the refusal before. What was refused often enough is poison.
   *
   * @param before how many were stored before this read
   * @return the partitions of the others
   */
  private Map<TopicPartition, StoreException> refusedSeldom(
      Map<Taken, StoreException> refused, List<Poison> poison, long before) {
    Map<TopicPartition, StoreException> waiting = new LinkedHashMap<>();
    for (Map.Entry<Taken, StoreException> each : refused.entrySet()) {
      ConsumerRecord<byte[], byte[]> record = each.getKey().record();
      Place place = new Place(partition(record), record.offset());
      Refusals last = refusals.getOrDefault(place, new Refusals(0, before));
      long since = each.getValue() instanceof WriteRefusedException ? last.stored() : before;
      int times = last.times() + (stored > since ? 1 : 0);
      refusals.put(place, new Refusals(times, stored));
      if (times < REFUSALS_MAX) {
        waiting.put(place.partition(), each.getValue());
      }
      String reason =
          "refused " + times + " times by the database, which took others: " + each.getValue();
      poison.add(new Poison(record, reason));
    }
    return waiting;
  }

  /** A prepare that comes once more after its rollback has nothing to say. */
  private static void note(Taken taken, HalfAnswer answer, List<Poison> poison) {
    Refusal refusal = answer.refusal();
    if (refusal != null && !(taken.call() instanceof HalfCall.Prepare)) {
      RefusedStepException reason = new RefusedStepException(answer.key(), refusal);
      poison.add(new Poison(taken.record(), String.valueOf(reason.getMessage())));
    }
  }

  /** Ends the intake; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
