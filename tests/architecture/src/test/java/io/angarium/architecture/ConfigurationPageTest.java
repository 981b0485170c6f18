package io.angarium.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.MessageLimits;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.http.HttpConfig;
import io.angarium.inbox.WhenBusy;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.micrometer.MetricsConfig;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.redis.RedisInboxConfig;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.ExponentialBackoff.Timing;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.relay.settings.RelayConfig.Leasing;
import io.angarium.relay.settings.RelayConfig.Polling;
import io.angarium.relay.settings.RelayConfig.Window;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import io.micrometer.core.instrument.Tags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Keeps docs/configuration.md true: names, defaults and ranges are those of the code. */
class ConfigurationPageTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `angarium\\.([a-z.-]+?)(?:\\.\\*)?` \\| [^|]+ \\| `?([^|`]+)`? \\| ([^|]+) \\|"
              + " [^|]+ \\|$",
          Pattern.MULTILINE);
  private static final Pattern TASK_ROW =
      Pattern.compile(
          "^\\| `angarium\\.reconciliation\\.tasks\\.<name>\\.([a-z-]+)` \\| [^|]+ \\| `([^|`]+)`"
              + " \\| (`[^|`]+`)[^|]* \\| [^|]+ \\|$",
          Pattern.MULTILINE);
  private static final Pattern FAULT =
      Pattern.compile("^([a-z.-]+): .* \\(expected: ([^.]+(?:\\.\\d+\\w)?)\\.\\.([^.].*)\\)$");
  private static final Pattern PROPERTY =
      Pattern.compile("\"name\": \"angarium\\.([a-z.-]+)\",\\s+\"type\"");
  private static final Duration BELOW = Duration.ofSeconds(-1);
  private static final Duration ABOVE = Duration.ofDays(999);

  /** Where the upper end depends on another setting, the page names that one. */
  private static final Map<String, String> RELATIVE =
      Map.of(
          "relay.lease.heartbeat", "`10ms..` a third of `ttl`",
          "relay.lease.margin", "`0s..` a third of `ttl`",
          "retry.max-pause", "`first-pause..7d`",
          "circuit.max-pause", "`first-pause..1h`");

  private final String page = GuaranteesPage.read(ROOT.resolve("docs/configuration.md"));

  @Test
  void everyPropertyHasItsLineAndNoOther() {
    String metadata =
        GuaranteesPage.read(
            ROOT.resolve(
                "angarium-spring-boot-starter/target/classes/META-INF/spring-configuration-metadata.json"));
    String properties = metadata.substring(metadata.indexOf("\"properties\""));

    List<String> existing =
        PROPERTY.matcher(properties).results().map(found -> found.group(1)).toList();

    assertThat(existing).hasSizeGreaterThan(40);
    assertThat(column(2).keySet()).containsExactlyInAnyOrderElementsOf(new TreeSet<>(existing));
  }

  @Test
  void everyDefaultIsThatOfTheCode() {
    Map<String, String> documented = column(2);

    Map<String, String> defaults = defaults();

    assertThat(defaults).hasSizeGreaterThan(40);
    defaults.forEach(
        (name, value) -> assertThat(documented).as("defaults").containsEntry(name, value));
  }

  @Test
  void everyRangeIsThatOfTheCode() {
    Map<String, String> documented = column(3);

    Map<String, String> ranges = ranges();

    assertThat(ranges).hasSizeGreaterThan(30);
    ranges.forEach((name, range) -> assertThat(documented).as("ranges").containsEntry(name, range));
  }

  @Test
  void everyTaskOfAReconciliationHasTheDefaultsAndRangesOfTheCode() {
    Map<String, String> documented = new TreeMap<>();
    for (MatchResult row : TASK_ROW.matcher(page).results().toList()) {
      documented.put(row.group(1), row.group(2) + " in " + row.group(3));
    }

    ReconciliationConfig standard = ReconciliationConfig.of("any");
    Map<String, String> ranges = new TreeMap<>();
    add(ranges, () -> new ReconciliationConfig("any", BELOW, BELOW, BELOW, BELOW, BELOW));

    assertThat(ranges).hasSize(5);
    Map.of(
            "window", standard.window(),
            "delay", standard.delay(),
            "age-max", standard.ageMax(),
            "interval", standard.interval(),
            "lease", standard.lease())
        .forEach(
            (name, value) ->
                assertThat(documented)
                    .containsEntry(
                        name, text(value) + " in " + ranges.get("reconciliation." + name)));
  }

  private Map<String, String> column(int group) {
    Map<String, String> column = new TreeMap<>();
    for (MatchResult row : ROW.matcher(page).results().toList()) {
      assertThat(column.put(row.group(1), row.group(group))).as("second %s", row.group(1)).isNull();
    }
    return column;
  }

  private static Map<String, String> defaults() {
    Map<String, Object> values = new HashMap<>();
    addRelay(values);
    addFailures(values);
    addDatabase(values);
    addKafka(values);
    addRabbitMq(values);
    addRocketMq(values);
    addHttp(values);
    addRedis(values);
    values.put("limits.payload", bytes(MessageLimits.DEFAULTS.payloadBytesMax()));
    values.put("limits.key", bytes(MessageLimits.DEFAULTS.keyBytesMax()));
    values.put("limits.headers", bytes(MessageLimits.DEFAULTS.headersBytesMax()));
    values.put("partitions.keyed", Partitioning.DEFAULTS.keyed());
    values.put("partitions.keyless", Partitioning.DEFAULTS.keyless());
    values.put("metrics.max-destinations", MetricsConfig.DEFAULTS.destinationsMax());
    values.put("metrics.histogram", MetricsConfig.DEFAULTS.histogram());
    values.put("metrics.backlog-interval", MetricsConfig.DEFAULTS.backlogInterval());
    Map<String, String> texts = new TreeMap<>();
    values.forEach((name, value) -> texts.put(name, text(value)));
    return texts;
  }

  private static void addRelay(Map<String, Object> values) {
    Leasing leasing = Leasing.DEFAULTS;
    Polling polling = Polling.DEFAULTS;
    Window window = Window.DEFAULTS;
    values.put("relay.close-timeout", RelayConfig.CLOSE_TIMEOUT_DEFAULT);
    values.put("relay.lease.ttl", leasing.ttl());
    values.put("relay.lease.heartbeat", leasing.heartbeat());
    values.put("relay.lease.margin", leasing.margin());
    values.put("relay.rest.after", leasing.restAfter());
    values.put("relay.rest.pause", leasing.rest());
    values.put("relay.poll.busy", polling.busy());
    values.put("relay.poll.idle", polling.idle());
    values.put("relay.poll.late", polling.late());
    values.put("relay.grace", polling.grace());
    values.put("relay.sweep", polling.sweep());
    values.put("relay.window.records", window.recordsMax());
    values.put("relay.window.bytes", bytes(window.bytesMax()));
    values.put("relay.read-size", window.readMax());
    values.put("relay.delete-size", window.deleteBatch());
    values.put("relay.delete-pause", window.deletePause());
  }

  private static void addFailures(Map<String, Object> values) {
    Timing timing = Timing.DEFAULTS;
    values.put("retry.first-pause", timing.first());
    values.put("retry.factor", timing.factor());
    values.put("retry.max-pause", timing.max());
    values.put("retry.jitter", timing.jitter());
    values.put("retry.max-attempts", timing.attemptsMax());
    values.put("on-dead", DestinationPolicy.defaults().onDead());
    values.put("circuit.first-pause", CircuitTiming.DEFAULTS.firstPause());
    values.put("circuit.max-pause", CircuitTiming.DEFAULTS.pauseMax());
  }

  private static void addDatabase(Map<String, Object> values) {
    JdbcConfig jdbc = JdbcConfig.DEFAULTS;
    values.put("jdbc.tables", jdbc.tables());
    values.put("jdbc.schema-mode", jdbc.schemaMode());
    values.put("jdbc.history", jdbc.history());
    values.put("jdbc.statement-timeout", jdbc.statementTimeout());
    values.put("jdbc.lease-timeout", jdbc.leaseTimeout());
    values.put("jdbc.settle-lag", jdbc.settleLag());
  }

  private static void addKafka(Map<String, Object> values) {
    KafkaConfig kafka = KafkaConfig.of("localhost:9092");
    values.put("kafka.client-id", kafka.clientId());
    values.put("kafka.linger", kafka.linger());
    values.put("kafka.delivery-timeout", kafka.deliveryTimeout());
    values.put("kafka.hold-max", kafka.holdMax());
    values.put("kafka.buffer", bytes(kafka.bufferBytes()));
    values.put("kafka.batch", bytes(kafka.batchBytes()));
    values.put("kafka.compression", kafka.compression());
  }

  private static void addRabbitMq(Map<String, Object> values) {
    RabbitConfig rabbit = RabbitConfig.of("localhost:5672");
    values.put("rabbitmq.client-name", rabbit.clientName());
    values.put("rabbitmq.channels", rabbit.channels());
    values.put("rabbitmq.window", rabbit.window());
    values.put("rabbitmq.confirm-timeout", rabbit.confirmTimeout());
    values.put("rabbitmq.hold-max", rabbit.holdMax());
    values.put("rabbitmq.connect-timeout", rabbit.connectTimeout());
    values.put("rabbitmq.heartbeat", rabbit.heartbeat());
  }

  private static void addRocketMq(Map<String, Object> values) {
    RocketConfig rocket = RocketConfig.of("localhost:9876");
    values.put("rocketmq.producer-group", rocket.producerGroup());
    values.put("rocketmq.send-timeout", rocket.sendTimeout());
    values.put("rocketmq.hold-max", rocket.holdMax());
    values.put("rocketmq.missing-after", rocket.missingAfter());
    values.put("rocketmq.fewer-queues-after", rocket.fewerQueuesAfter());
    values.put("rocketmq.acknowledge", rocket.acknowledge());
    values.put("rocketmq.batch-messages", rocket.batchMessages());
    values.put("rocketmq.batch", bytes(rocket.batchBytes()));
    values.put("rocketmq.message-max", bytes(rocket.messageBytesMax()));
    RocketTransactionsConfig transactions = RocketTransactionsConfig.of(rocket);
    values.put("rocketmq.transactions.producer-group", transactions.producerGroup());
    values.put("rocketmq.transactions.check-threads", transactions.checkThreads());
  }

  private static void addRedis(Map<String, Object> values) {
    RedisInboxConfig redis = RedisInboxConfig.DEFAULTS;
    values.put("inbox.redis.prefix", redis.prefix());
    values.put("inbox.redis.lease", redis.lease());
    values.put("inbox.redis.renew-max", redis.renewMax());
    values.put("inbox.redis.retention", redis.retention());
    values.put("inbox.redis.replay-window", redis.replayWindow());
    values.put("inbox.redis.when-busy", redis.whenBusy());
    values.put("inbox.redis.wait-max", redis.waitMax());
    values.put("inbox.redis.command-timeout", redis.commandTimeout());
  }

  private static void addHttp(Map<String, Object> values) {
    HttpConfig http = HttpConfig.allowing("localhost");
    values.put("http.source", http.source());
    values.put("http.type", http.type());
    values.put("http.content-type", http.contentType());
    values.put("http.connect-timeout", http.timing().connect());
    values.put("http.timeout", http.timing().answer());
    values.put("http.hold-max", http.timing().hold());
    values.put("http.retry-after-max", http.timing().pauseMax());
    values.put("http.in-flight-per-hook", http.limits().inFlightPerHook());
    values.put("http.in-flight", http.limits().inFlight());
    values.put("http.waiting", http.limits().waiting());
  }

  private static final List<String> SIZES =
      List.of(
          "relay.window.bytes",
          "kafka.buffer",
          "kafka.batch",
          "rocketmq.batch",
          "rocketmq.message-max");

  /** The ranges as the faults of impossible settings tell them. */
  private static Map<String, String> ranges() {
    Map<String, String> ranges = new TreeMap<>();
    Duration ttl = Leasing.DEFAULTS.ttl();
    add(ranges, () -> new Leasing(BELOW, BELOW, BELOW, BELOW, BELOW));
    add(ranges, () -> new Leasing(ttl, ABOVE, ABOVE, BELOW, BELOW));
    add(ranges, () -> new Polling(BELOW, BELOW, BELOW, BELOW, BELOW));
    add(ranges, () -> new Window(-1, -1, -1, -1, BELOW));
    add(ranges, () -> new Timing(BELOW, 0, ABOVE, -1, 0));
    add(ranges, () -> new CircuitTiming(BELOW, ABOVE));
    add(ranges, () -> new MessageLimits(-1, -1, -1));
    add(ranges, () -> new Partitioning(-1, -1));
    add(ranges, () -> new MetricsConfig(Tags.empty(), -1, false, BELOW));
    add(
        ranges,
        () ->
            new JdbcConfig(
                null,
                "t",
                SchemaMode.NONE,
                false,
                ConfirmationConfig.NONE,
                BELOW,
                BELOW,
                BELOW,
                Set.of(),
                null,
                Set.of()));
    add(
        ranges,
        () ->
            new RelayConfig(
                "n",
                Partitioning.DEFAULTS,
                Leasing.DEFAULTS,
                Polling.DEFAULTS,
                Window.DEFAULTS,
                BELOW));
    KafkaConfig kafka = KafkaConfig.of("localhost:9092");
    add(ranges, () -> kafka.linger(BELOW));
    add(ranges, () -> kafka.deliveryTimeout(BELOW));
    add(ranges, () -> kafka.holdMax(BELOW));
    add(ranges, () -> kafka.bufferBytes(-1));
    add(ranges, () -> kafka.batchBytes(-1));
    RabbitConfig rabbit = RabbitConfig.of("localhost:5672");
    add(ranges, () -> rabbit.channels(-1));
    add(ranges, () -> rabbit.window(-1));
    add(ranges, () -> rabbit.confirmTimeout(BELOW));
    add(ranges, () -> rabbit.holdMax(BELOW));
    add(ranges, () -> rabbit.connectTimeout(BELOW));
    add(ranges, () -> rabbit.heartbeat(BELOW));
    RocketConfig rocket = RocketConfig.of("localhost:9876");
    add(ranges, () -> rocket.sendTimeout(BELOW));
    add(ranges, () -> rocket.holdMax(BELOW));
    add(ranges, () -> rocket.missingAfter(BELOW));
    add(ranges, () -> rocket.fewerQueuesAfter(BELOW));
    add(ranges, () -> rocket.batchMessages(-1));
    add(ranges, () -> rocket.batchBytes(-1));
    add(ranges, () -> rocket.messageBytesMax(-1));
    add(ranges, () -> RocketTransactionsConfig.of(rocket).checkThreads(-1));
    add(
        ranges,
        () -> new RedisInboxConfig("p", BELOW, BELOW, BELOW, BELOW, WhenBusy.WAIT, BELOW, BELOW));
    add(ranges, () -> new HttpConfig.Timing(BELOW, BELOW, BELOW, BELOW));
    add(ranges, () -> new HttpConfig.Limits(-1, -1, -1));
    ranges.putAll(RELATIVE);
    return ranges;
  }

  private static void add(Map<String, String> ranges, ThrowingCallable wrong) {
    ConfigurationException failure = catchThrowableOfType(ConfigurationException.class, wrong);
    assertThat(failure).as("an impossible setting was taken").isNotNull();
    for (String fault : failure.faults()) {
      FAULT.matcher(fault).results().forEach(found -> add(ranges, found));
    }
  }

  private static void add(Map<String, String> ranges, MatchResult fault) {
    String name = fault.group(1);
    boolean size = name.startsWith("limits.") || SIZES.contains(name);
    ranges.put(name, "`" + end(fault.group(2), size) + ".." + end(fault.group(3), size) + "`");
  }

  private static String end(String value, boolean size) {
    if (value.startsWith("PT")) {
      return text(Duration.parse(value));
    }
    return size ? bytes(Long.parseLong(value)) : value;
  }

  private static String text(Object value) {
    if (value instanceof Duration duration) {
      return text(duration);
    }
    return value instanceof Enum<?> constant
        ? constant.name().toLowerCase(Locale.ROOT)
        : value.toString();
  }

  private static String text(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    if (millis == 0 || millis % 60_000 != 0) {
      return millis / 1_000 + "s";
    }
    if (millis % 3_600_000 != 0) {
      return millis / 60_000 + "m";
    }
    return millis % 86_400_000 == 0 ? millis / 86_400_000 + "d" : millis / 3_600_000 + "h";
  }

  private static String bytes(long bytes) {
    if (bytes == 0 || bytes % 1_024 != 0) {
      return bytes + "B";
    }
    if (bytes % (1 << 20) != 0) {
      return bytes / 1_024 + "KB";
    }
    return bytes % (1 << 30) == 0 ? (bytes >> 30) + "GB" : (bytes >> 20) + "MB";
  }
}
