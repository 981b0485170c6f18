package io.angarium.server.settings;

import io.angarium.MessageLimits;
import io.angarium.kafka.intake.HalfIntakeConfig;
import io.angarium.spring.settings.AngariumProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What can be set besides the properties of the starter and of Spring Boot. Immutable.
 *
 * @param apiKeys who may call, by a name for the log; none, and no tokens either: nobody but this
 *     machine, and that only with the embedded database
 * @param oauth2 who may call by the token of an issuer
 * @param requestMax the largest body of a request
 * @param memory how much of bodies is in memory at a time; a further body waits, and is refused
 *     with a request to come again if it finds no room
 * @param bodyTimeout how long the body of a request may take to come
 * @param stopDelay how long a server that is told to stop still serves while its readiness is
 *     refused, so that a proxy can leave it; by default not at all
 * @param undecidedMax how many undecided half messages one business may have; by default any number
 * @param kafkaIntake half messages that are submitted through Kafka
 * @param grpc half messages over gRPC
 * @param dtm the calls of dtm for messages
 * @param dubbo half messages and TrustMessage's calls over Dubbo
 * @param checkBack which producers are asked by other ways than HTTP
 * @param log the destination {@code log:} for first steps
 * @param otherTransports names of transports that other servers of this centre have; {@code *} for
 *     any: then messages for transports that nobody has are taken, and wait
 */
public record ServerProperties(
    @DefaultValue Map<String, ApiKey> apiKeys,
    @DefaultValue OAuth2Properties oauth2,
    @DefaultValue("8MB") DataSize requestMax,
    @DefaultValue("64MB") DataSize memory,
    @DefaultValue("30s") Duration bodyTimeout,
    @DefaultValue("0s") Duration stopDelay,
    @Nullable Integer undecidedMax,
    @DefaultValue KafkaIntake kafkaIntake,
    @DefaultValue GrpcProperties grpc,
    @DefaultValue DtmProperties dtm,
    @DefaultValue DubboProperties dubbo,
    @DefaultValue CheckBackProperties checkBack,
    @DefaultValue Log log,
    @DefaultValue List<String> otherTransports) {
  /** Prefix of all of these properties. */
  public static final String PREFIX = "angarium.server";

  /** Whether callers are asked who they are. */
  public boolean asksWho() {
    return !apiKeys.isEmpty() || oauth2.isWanted();
  }

  /**
   * What one caller may do. Immutable.
   *
   * @param hashes of its keys, {@code sha256:} and 64 hexadecimal digits; two while a key is
   *     exchanged
   * @param businesses which business ids, perhaps with {@code *} for any characters
   * @param destinations to which destinations it may prepare, and whose dead letters it may see,
   *     likewise
   * @param steps what it may do with them; default prepare, commit, rollback and read
   * @param rate calls in a second, at each server; null for any number
   * @param payloadMax the largest payload; null for that of the limits
   */
  public record ApiKey(
      @DefaultValue List<String> hashes,
      @DefaultValue List<String> businesses,
      @DefaultValue List<String> destinations,
      @DefaultValue({"prepare", "commit", "rollback", "read"}) Set<Permission> steps,
      @Nullable Integer rate,
      @Nullable DataSize payloadMax)
      implements Rights {}

  /**
   * Half messages that are submitted through Kafka, from the cluster that is sent to. Immutable.
   *
   * @param topics from which topics; none, no pattern and no registry: none are taken
   * @param topicPattern a regular expression for further ones
   * @param registry of further ones
   * @param records which records there are half messages; default all
   * @param deadLetterTopic where those go that cannot be taken
   * @param group of consumers; null for that of the config record
   * @param batchMax records that are stored at a time; null for that of the config record
   * @param forwardTransport of JSON's forwardTopic; null for that of the config record
   * @param businesses which business ids, perhaps with {@code *} for any characters; with none, the
   *     start stops
   * @param destinations to which destinations may be prepared, perhaps with {@code *}, too; with
   *     none, the start stops
   * @param payloadMax the largest payload; null for that of the limits
   */
  public record KafkaIntake(
      @DefaultValue List<String> topics,
      @Nullable String topicPattern,
      @DefaultValue Registry registry,
      @DefaultValue("all") HalfIntakeConfig.Records records,
      @DefaultValue("") String deadLetterTopic,
      @Nullable String group,
      @Nullable Integer batchMax,
      @Nullable String forwardTransport,
      @DefaultValue List<String> businesses,
      @DefaultValue List<String> destinations,
      @Nullable DataSize payloadMax) {
    /** Whether any are taken. */
    public boolean isWanted() {
      return !topics.isEmpty() || topicPattern != null || registry.enabled();
    }

    /**
     * How they are taken.
     *
     * @throws io.angarium.ConfigurationException listing all faults at once
     */
    public HalfIntakeConfig config() {
      HalfIntakeConfig standard = HalfIntakeConfig.ofTopics("dead", Set.of("any"));
      return new HalfIntakeConfig(
          Set.copyOf(topics),
          topicPattern,
          records,
          deadLetterTopic,
          group == null ? standard.group() : group,
          batchMax == null ? standard.batchMax() : batchMax,
          forwardTransport == null ? standard.forwardTransport() : forwardTransport,
          standard.retryPause(),
          registry.enabled() ? registry.intervalOrDefault() : null);
    }
  }

  /**
   * Topics that are registered in the database. Immutable.
   *
   * @param enabled whether they are read, too
   * @param interval how often the registry is; null for that of the config record
   */
  public record Registry(@DefaultValue("false") boolean enabled, @Nullable Duration interval) {
    private Duration intervalOrDefault() {
      return interval == null ? HalfIntakeConfig.REGISTRY_INTERVAL : interval;
    }
  }

  /** Returns the largest payload of every message in bytes, no matter who sends it. */
  public static long payloadBytesMax(AngariumProperties starter) {
    DataSize given = starter.limits().payload();
    return given == null ? MessageLimits.DEFAULTS.payloadBytesMax() : given.toBytes();
  }

  /**
   * The destination that only writes a line. Immutable.
   *
   * @param enabled whether there is one
   */
  public record Log(@DefaultValue("true") boolean enabled) {}
}
