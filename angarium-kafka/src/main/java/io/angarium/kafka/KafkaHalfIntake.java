package io.angarium.kafka;

import io.angarium.InvalidMessageException;
import io.angarium.Rounds;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.IntakeTopics;
import io.angarium.half.NotPermittedException;
import io.angarium.half.Refusal;
import io.angarium.half.RefusedStepException;
import io.angarium.kafka.IntakeDeadLetters.Poison;
import io.angarium.store.StoreException;
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
 * and again while it takes others, and a commit or rollback that comes after the opposite. While
 * the database or that topic is away nothing is taken and nothing lost. A topic that the account
 * may not read is told and left out until it may. Every node may have an intake, in the same group.
 * Thread-safe.
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
  private final Rounds rounds;

  /** By record, as long as it is not taken. One thread. */
  private final Map<Place, Integer> refusals = new HashMap<>();

  /** Why nothing is taken now; null if that is not so. */
  private volatile @Nullable String trouble;

  /** Whether it was a member of its group when it failed: then a record may stand in the way. */
  private boolean failedReading;

  private boolean storeFails;
  private boolean absenceTold;
  private final AtomicLong recordsTaken = new AtomicLong();
  private final AtomicLong recordsRefused = new AtomicLong();
  private volatile long lag;
  private int repeats;

  private record Place(TopicPartition partition, long offset) {}

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
    this.rounds =
        new Rounds(
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
   * As above, with a registry of topics besides those of the configuration. It is read again and
   * again: what is registered is read from where the group has come to, at first from its
   * beginning, and what is not any more is left. While the registry cannot be read, the topics that
   * were known stay. A topic that is registered and configured by its name counts as configured.
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
   * Why records are not taken now, e.g. one that cannot be read and keeps back those after it;
   * empty while they are. For a health check.
   */
  public Optional<String> trouble() {
    return Optional.ofNullable(trouble);
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
    ConsumerRecords<byte[], byte[]> records = consumer.poll(poll);
    lag = consumer.lag();
    if (records.isEmpty()) {
      return;
    }
    try {
      take(records, deadLetters);
      consumer.commit();
      tell(null);
    } catch (StoreException e) {
      tell(e);
      consumer.readAgain(records);
      rounds.rest();
    }
  }

  /** Once that nothing can be stored, and once that it can. */
  private void tell(@Nullable StoreException failure) {
    if (failure == null && storeFails) {
      LOG.info("Half messages from Kafka are taken again");
    } else if (failure != null && !storeFails) {
      LOG.warn("Half messages from Kafka cannot be stored now; they wait in their topics", failure);
    }
    storeFails = failure != null;
  }

  private record Taken(ConsumerRecord<byte[], byte[]> record, HalfCall call) {}

  private void take(ConsumerRecords<byte[], byte[]> records, IntakeDeadLetters deadLetters)
      throws InterruptedException {
    List<Taken> readable = new ArrayList<>();
    List<Poison> poison = new ArrayList<>();
    int calls = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        Optional<HalfCall> call = reading.read(record, registered.records(record.topic()));
        if (call.isPresent()) {
          readable.add(new Taken(record, call.get()));
          calls++;
        }
      } catch (InvalidMessageException e) {
        poison.add(new Poison(record, String.valueOf(e.getMessage())));
        calls++;
      }
    }
    take(readable, poison);
    if (!poison.isEmpty()) {
      deadLetters.add(poison);
    }
    recordsRefused.addAndGet(poison.size());
    recordsTaken.addAndGet(calls - poison.size());
  }

  /**
   * What the database refuses while it takes others is held against the record, and not to them. A
   * database that takes nothing at all is to blame itself.
   */
  private void take(List<Taken> readable, List<Poison> poison) {
    if (readable.isEmpty()) {
      return;
    }
    int unreadable = poison.size();
    Map<Taken, StoreException> refused = new LinkedHashMap<>();
    takeTogether(readable, poison, refused);
    if (refused.size() + poison.size() - unreadable >= readable.size()) {
      refused.values().stream()
          .findFirst()
          .ifPresent(
              e -> {
                throw e;
              });
    }
    poison.addAll(refusedOften(refused));
    Set<TopicPartition> taken =
        readable.stream().map(each -> partition(each.record())).collect(Collectors.toSet());
    refusals.keySet().removeIf(place -> taken.contains(place.partition()));
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
      for (int i = 0; i < answers.size(); i++) {
        note(calls.get(i), answers.get(i), poison);
      }
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

  /** All of them, each of which has been refused often enough; before, the batch comes again. */
  private List<Poison> refusedOften(Map<Taken, StoreException> refused) {
    List<Poison> often = new ArrayList<>();
    StoreException again = null;
    for (Map.Entry<Taken, StoreException> each : refused.entrySet()) {
      ConsumerRecord<byte[], byte[]> record = each.getKey().record();
      Place place = new Place(partition(record), record.offset());
      int times = refusals.merge(place, 1, Integer::sum);
      again = times < REFUSALS_MAX ? each.getValue() : again;
      String reason =
          "refused " + times + " times by the database, which took others: " + each.getValue();
      often.add(new Poison(record, reason));
    }
    if (again != null) {
      throw again;
    }
    return often;
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
