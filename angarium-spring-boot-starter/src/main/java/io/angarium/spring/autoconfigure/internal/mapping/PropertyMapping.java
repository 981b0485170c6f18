package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.MessageLimits;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackConfig.Pauses;
import io.angarium.handler.HandlerConfig;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.RetentionConfig;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.relay.settings.CircuitTiming;
import io.angarium.relay.settings.DestinationPolicy;
import io.angarium.relay.settings.ExponentialBackoff;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.transport.CloudEvents;
import io.angarium.transport.UnknownTransport;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Maps the properties onto the config records, which check them and hold the defaults. */
public final class PropertyMapping {
  private PropertyMapping() {}

  public static MessageLimits limits(AngariumProperties properties) {
    AngariumProperties.Limits given = properties.limits();
    MessageLimits standard = MessageLimits.DEFAULTS;
    return new MessageLimits(
        bytes(given.payload(), standard.payloadBytesMax()),
        bytes(given.key(), standard.keyBytesMax()),
        bytes(given.headers(), standard.headersBytesMax()));
  }

  /** A process without a relay of its own may well name transports that it does not have. */
  public static UnknownTransport unknownTransport(AngariumProperties properties) {
    return or(
        properties.unknownTransport(),
        properties.relay().enabled() ? UnknownTransport.WARN : UnknownTransport.OFF);
  }

  public static Partitioning partitioning(AngariumProperties properties) {
    AngariumProperties.Partitions given = properties.partitions();
    return new Partitioning(
        or(given.keyed(), Partitioning.DEFAULTS.keyed()),
        or(given.keyless(), Partitioning.DEFAULTS.keyless()));
  }

  public static JdbcConfig jdbc(AngariumProperties properties) {
    return jdbc(properties, null);
  }

  /**
   * How the outbox uses its database.
   *
   * @param relay the relay of this process, whose lease its statements must not cost; null for that
   *     of the properties
   */
  public static JdbcConfig jdbc(AngariumProperties properties, @Nullable RelayConfig relay) {
    AngariumProperties.Jdbc given = properties.jdbc();
    JdbcConfig standard = JdbcConfig.DEFAULTS;
    return new JdbcConfig(
        given.schema(),
        or(given.tables(), standard.tables()),
        or(given.schemaMode(), standard.schemaMode()),
        or(given.history(), standard.history()),
        confirmation(properties.confirmation()),
        or(given.statementTimeout(), standard.statementTimeout()),
        leaseTimeout(properties.relay(), relay),
        or(given.settleLag(), standard.settleLag()),
        features(properties),
        given.acceptedServer(),
        Set.copyOf(given.acceptedTriggers()));
  }

  /** A statement that hangs must not cost the lease. */
  private static Duration leaseTimeout(
      AngariumProperties.Relay given, @Nullable RelayConfig relay) {
    Duration ttl =
        relay == null
            ? or(given.lease().ttl(), RelayConfig.Leasing.DEFAULTS.ttl())
            : relay.leasing().ttl();
    Duration part = ttl.multipliedBy(2).dividedBy(5);
    return clamped(part, Duration.ofMillis(500), JdbcConfig.DEFAULTS.leaseTimeout());
  }

  /** Returns the features whose tables the properties need besides the outbox's tables. */
  static Set<SchemaFeature> features(AngariumProperties properties) {
    Set<SchemaFeature> features = EnumSet.noneOf(SchemaFeature.class);
    AngariumProperties.Half half = properties.half();
    boolean markers = half.enabled() && !half.check().markers().isEmpty();
    addIf(features, markers, SchemaFeature.MARKER);
    addIf(features, half.enabled() && !half.isOnServer(), SchemaFeature.HALF);
    addIf(features, properties.confirmation().isOn(), SchemaFeature.CONFIRMATION);
    AngariumProperties.Reconciliation reconciliation = properties.reconciliation();
    boolean tasks = reconciliation.enabled() && !reconciliation.tasks().isEmpty();
    addIf(features, tasks, SchemaFeature.RECONCILIATION);
    addIf(features, tasks && reconciliation.reports(), SchemaFeature.REPORT);
    return features;
  }

  private static void addIf(Set<SchemaFeature> features, boolean on, SchemaFeature feature) {
    if (on) {
      features.add(feature);
    }
  }

  public static ConfirmationConfig confirmation(AngariumProperties.Confirmation given) {
    ConfirmationConfig standard = ConfirmationConfig.NONE;
    Duration timeout = or(given.timeout(), standard.timeout());
    return new ConfirmationConfig(
        new LinkedHashSet<>(given.destinations()),
        timeout,
        or(given.sends(), standard.sendsMax()),
        clamped(timeout.multipliedBy(2), standard.receiptsKept(), Duration.ofDays(365)),
        clamped(timeout.dividedBy(10), Duration.ofMillis(10), standard.interval()));
  }

  public static RetentionConfig retention(AngariumProperties.Retention given) {
    RetentionConfig standard = RetentionConfig.DEFAULTS;
    return new RetentionConfig(
        given.sent(),
        given.businessKeys(),
        given.markers(),
        given.halfMessages() == null ? standard.halfMessages() : given.halfMessages(),
        given.discarded() == null ? standard.discarded() : given.discarded(),
        or(given.interval(), standard.interval()));
  }

  public static InboxConfig inbox(AngariumProperties properties) {
    AngariumProperties.Inbox given = properties.inbox();
    InboxConfig standard = InboxConfig.DEFAULTS;
    return new InboxConfig(
        given.schema(),
        or(given.tables(), standard.tables()),
        or(given.schemaMode(), standard.schemaMode()),
        or(given.retention(), standard.retention()),
        or(given.replayWindow(), standard.replayWindow()),
        or(given.whenBusy(), standard.whenBusy()),
        or(given.waitMax(), standard.waitMax()),
        Set.copyOf(given.acceptedTriggers()));
  }

  public static HandlerConfig handler(AngariumProperties.Handler given) {
    HandlerConfig standard = HandlerConfig.DEFAULTS;
    return new HandlerConfig(
        or(given.threads(), standard.threads()),
        standard.waiting(),
        or(given.timeout(), standard.timeout()),
        standard.hold());
  }

  public static RelayConfig relay(AngariumProperties properties, String nodeDefault) {
    AngariumProperties.Relay given = properties.relay();
    return new RelayConfig(
        or(given.node(), nodeDefault),
        partitioning(properties),
        leasing(given),
        polling(given),
        window(given),
        or(given.closeTimeout(), RelayConfig.CLOSE_TIMEOUT_DEFAULT));
  }

  public static RelayConfig.Leasing leasing(AngariumProperties.Relay given) {
    Duration ttl = given.lease().ttl();
    return ttl == null ? RelayConfig.Leasing.DEFAULTS : RelayConfig.Leasing.of(ttl);
  }

  public static RelayConfig.Polling polling(AngariumProperties.Relay given) {
    RelayConfig.Polling standard = RelayConfig.Polling.DEFAULTS;
    return new RelayConfig.Polling(
        or(given.poll().busy(), standard.busy()),
        or(given.poll().idle(), standard.idle()),
        standard.late(),
        or(given.grace(), standard.grace()),
        standard.sweep());
  }

  public static RelayConfig.Window window(AngariumProperties.Relay given) {
    RelayConfig.Window standard = RelayConfig.Window.DEFAULTS;
    DataSize bytes = given.window().bytes();
    return new RelayConfig.Window(
        or(given.window().records(), standard.recordsMax()),
        bytes == null ? standard.bytesMax() : bytes.toBytes(),
        standard.readMax(),
        standard.deleteBatch(),
        standard.deletePause());
  }

  public static DestinationPolicy policy(AngariumProperties properties) {
    return new DestinationPolicy(
        new ExponentialBackoff(backoff(properties.retry()), Dice::roll),
        or(properties.onDead(), DestinationPolicy.defaults().onDead()),
        circuit(properties.circuit()));
  }

  public static ExponentialBackoff.Timing backoff(AngariumProperties.Retry given) {
    ExponentialBackoff.Timing standard = ExponentialBackoff.Timing.DEFAULTS;
    return new ExponentialBackoff.Timing(
        or(given.firstPause(), standard.first()),
        standard.factor(),
        or(given.maxPause(), standard.max()),
        standard.jitter(),
        or(given.maxAttempts(), standard.attemptsMax()));
  }

  public static CloudEvents cloudEvents(AngariumProperties properties) {
    AngariumProperties.CloudEvents given = properties.cloudEvents();
    return new CloudEvents(
        given.destinations(),
        or(given.source(), CloudEvents.NONE.source()),
        or(given.type(), CloudEvents.NONE.type()));
  }

  public static CircuitTiming circuit(AngariumProperties.Circuit given) {
    CircuitTiming standard = CircuitTiming.DEFAULTS;
    Duration max = or(given.maxPause(), standard.pauseMax());
    return new CircuitTiming(clamped(max, Duration.ofMillis(1), standard.firstPause()), max);
  }

  public static <T> T or(@Nullable T given, T standard) {
    return given == null ? standard : given;
  }

  /** The value, but not less than one bound and not more than the other. */
  static Duration clamped(Duration value, Duration min, Duration max) {
    if (value.compareTo(max) > 0) {
      return max;
    }
    return value.compareTo(min) < 0 ? min : value;
  }

  /** The standard one where nothing else is given. */
  public static CheckBackConfig checkBack(AngariumProperties.HalfCheck given) {
    CheckBackConfig standard = CheckBackConfig.DEFAULTS;
    Pauses pauses = standard.pauses();
    Duration timeout = or(given.timeout(), standard.timeout());
    Duration claimMin = timeout.multipliedBy(2);
    return new CheckBackConfig(
        new Pauses(
            or(given.first(), pauses.first()),
            or(given.minPause(), pauses.min()),
            pauses.factor(),
            or(given.maxPause(), pauses.max()),
            or(given.unreachableMaxPause(), pauses.unreachableMax())),
        or(given.unknownMax(), standard.unknownMax()),
        or(given.alertAfter(), standard.alertAfter()),
        or(given.questions(), standard.questionsMax()),
        standard.questionsInAllMax(),
        timeout,
        claimMin.compareTo(standard.claim()) > 0 ? claimMin : standard.claim(),
        standard.interval(),
        standard.sweep());
  }

  /** Sizes beyond an int are out of every range and stay so. */
  static int bytes(@Nullable DataSize given, int standard) {
    return given == null
        ? standard
        : (int) Math.min(Math.max(given.toBytes(), Integer.MIN_VALUE), Integer.MAX_VALUE);
  }
}
