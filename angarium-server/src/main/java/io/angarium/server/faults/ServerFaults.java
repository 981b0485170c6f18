package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.angarium.server.access.ApiKeys;
import io.angarium.server.dubbo.DubboFrames;
import io.angarium.server.settings.OnSwitch;
import io.angarium.server.settings.OptionalLibraries;
import io.angarium.server.settings.Permission;
import io.angarium.server.settings.Rights;
import io.angarium.server.settings.ServerProperties;
import io.angarium.server.start.EmbeddedDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** Everything that is wrong with the server's own properties. */
public final class ServerFaults {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");
  private static final int RATE_MAX = 1_000_000;
  private static final int UNDECIDED_MAX = 1_000_000;
  private static final DataSize REQUEST_MIN = DataSize.ofKilobytes(64);
  private static final DataSize REQUEST_MAX = DataSize.ofMegabytes(128);
  private static final DataSize MEMORY_MAX = DataSize.ofTerabytes(1);
  private static final Duration BODY_TIMEOUT_MAX = Duration.ofMinutes(10);
  private static final Duration STOP_DELAY_MAX = Duration.ofMinutes(5);

  private final ConfigFaults faults = new ConfigFaults();

  private ServerFaults() {}

  public static List<String> of(ServerProperties properties, Environment environment) {
    ServerFaults gathered = new ServerFaults();
    gathered.checkOpenness(properties, environment);
    properties.apiKeys().forEach(gathered::check);
    gathered.checkSharedHashes(properties);
    OAuth2Faults.gather(properties.oauth2(), gathered.faults);
    MeasuringFaults.gather(environment, gathered.faults);
    GrpcFaults.gather(properties, gathered.faults);
    OptionalLibraries.gather(properties, environment, gathered.faults);
    DubboFaults.gather(properties, gathered.faults);
    DtmFaults.gather(properties.dtm(), environment, gathered.faults);
    gathered.check(properties.kafkaIntake(), environment);
    gathered
        .range("request-max", properties.requestMax(), REQUEST_MIN, REQUEST_MAX)
        .range("memory", properties.memory(), memoryMin(properties), MEMORY_MAX);
    gathered
        .faults
        .range(
            name("body-timeout"), properties.bodyTimeout(), Duration.ofSeconds(1), BODY_TIMEOUT_MAX)
        .range(name("stop-delay"), properties.stopDelay(), Duration.ZERO, STOP_DELAY_MAX);
    if (properties.undecidedMax() != null) {
      gathered.faults.range(name("undecided-max"), properties.undecidedMax(), 1, UNDECIDED_MAX);
    }
    try {
      gathered.faults.throwIfAny();
      return List.of();
    } catch (ConfigurationException e) {
      return e.faults();
    }
  }

  /** One caller has half of it, in which its largest request must fit. */
  private static DataSize memoryMin(ServerProperties properties) {
    long http = properties.requestMax().toBytes();
    long grpc = properties.grpc().enabled() ? properties.grpc().requestMax().toBytes() : 0;
    long dubbo = properties.dubbo().enabled() ? DubboFrames.MEMORY_BYTES_MAX : 0;
    return DataSize.ofBytes(2 * Math.max(http, Math.max(grpc, dubbo)));
  }

  private static String name(String property) {
    return ServerProperties.PREFIX + "." + property;
  }

  private ServerFaults range(String property, DataSize value, DataSize min, DataSize max) {
    boolean inside = value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    faults.require(inside, name(property), value, min + ".." + max);
    return this;
  }

  private void checkOpenness(ServerProperties properties, Environment environment) {
    String address = environment.getProperty("server.address");
    String url = environment.getProperty("spring.datasource.url", "");
    boolean local = Openness.isLoopback(address) && EmbeddedDatabase.URL.matcher(url).matches();
    faults.require(
        local || properties.asksWho(),
        name("api-keys"),
        "none",
        "at least one, or angarium.server.oauth2, as %s; without any, the server is for this machine (server.address=127.0.0.1)"
                .formatted(
                    Openness.isLoopback(address)
                        ? "the database is not the embedded one"
                        : "others can reach server.address " + address)
            + " with the embedded database only");
  }

  private void checkSharedHashes(ServerProperties properties) {
    Map<String, String> owners = new HashMap<>();
    properties
        .apiKeys()
        .forEach(
            (name, key) ->
                Set.copyOf(key.hashes())
                    .forEach(
                        hash -> {
                          String other = owners.putIfAbsent(hash, name);
                          faults.require(
                              other == null,
                              name("api-keys." + name + ".hashes"),
                              "a key of " + other,
                              "each key under one name");
                        }));
  }

  private void check(ServerProperties.KafkaIntake intake, Environment environment) {
    ServerProperties.Registry registry = intake.registry();
    faults.require(
        registry.enabled() || registry.interval() == null,
        name("kafka-intake.registry.interval"),
        registry.interval(),
        "none, or kafka-intake.registry.enabled=true");
    if (intake.isWanted()) {
      checkWanted(intake, environment);
    } else {
      faults.require(
          intake.deadLetterTopic().isEmpty()
              && intake.businesses().isEmpty()
              && intake.destinations().isEmpty()
              && intake.payloadMax() == null,
          name("kafka-intake.topics"),
          "none",
          "topics, a topic-pattern, or registry.enabled, as other properties of it are set");
    }
  }

  private void checkWanted(ServerProperties.KafkaIntake intake, Environment environment) {
    String prefix = name("kafka-intake");
    try {
      intake.config();
    } catch (ConfigurationException e) {
      e.faults().forEach(fault -> faults.add(fault.replaceFirst("^half-intake", prefix)));
    }
    boolean kafka = "true".equals(environment.getProperty("angarium.kafka.enabled"));
    boolean relay = OnSwitch.Switches.isOn(environment, "angarium.relay.enabled", true);
    faults
        .require(kafka, "angarium.kafka.enabled", "false", "true, as " + prefix + " is set")
        .require(relay, "angarium.relay.enabled", "false", "true, as " + prefix + " is set")
        .require(
            !intake.destinations().isEmpty(),
            prefix + ".destinations",
            "none",
            "destinations, e.g. kafka:orders or kafka:*")
        .require(
            !intake.businesses().isEmpty(),
            prefix + ".businesses",
            "none",
            "business ids, or * for all");
    checkPayload(prefix + ".", intake.payloadMax(), faults);
  }

  /** Adds a fault if that is no name of an entry. */
  static void checkName(String property, String name, ConfigFaults faults) {
    faults.require(
        NAME.matcher(name).matches(), property, "'" + name + "'", "a name of 1..64 of a-z, 0-9, -");
  }

  private void check(String name, ServerProperties.ApiKey key) {
    String prefix = name("api-keys." + name + ".");
    checkName(name("api-keys"), name, faults);
    faults.require(!key.hashes().isEmpty(), prefix + "hashes", "none", "at least one");
    for (int i = 0; i < key.hashes().size(); i++) {
      faults.require(
          ApiKeys.isHash(key.hashes().get(i)),
          prefix + "hashes[" + i + "]",
          "its value",
          "sha256: and 64 hexadecimal digits in lower case");
    }
    check(prefix, key, faults);
  }

  /** Adds what is wrong with the rights of a key or a token. */
  static void check(String prefix, Rights rights, ConfigFaults faults) {
    faults
        .require(
            !rights.businesses().isEmpty() || rights.steps().equals(Set.of(Permission.MEASURE)),
            prefix + "businesses",
            "none",
            "business ids, or * for all")
        .require(
            !rights.destinations().isEmpty() || !rights.steps().contains(Permission.PREPARE),
            prefix + "destinations",
            "none",
            "destinations, e.g. kafka:orders or kafka:*, or steps without "
                + Permission.PREPARE.name().toLowerCase(Locale.ROOT))
        .require(
            !rights.destinations().isEmpty() || !rights.steps().contains(Permission.VIEW),
            prefix + "destinations",
            "none",
            "destinations whose dead letters may be seen, or * for all, or steps without view")
        .require(!rights.steps().isEmpty(), prefix + "steps", "none", "at least one");
    checkRate(prefix, rights.rate(), faults);
    checkPayload(prefix, rights.payloadMax(), faults);
  }

  /** Adds a fault if nobody could keep that rate. */
  static void checkRate(String prefix, @Nullable Integer rate, ConfigFaults faults) {
    if (rate != null) {
      faults.range(prefix + "rate", rate, 1, RATE_MAX);
    }
  }

  /** Adds a fault if no payload could be as small. */
  static void checkPayload(String prefix, @Nullable DataSize payloadMax, ConfigFaults faults) {
    faults.require(
        payloadMax == null || payloadMax.toBytes() >= 1,
        prefix + "payload-max",
        payloadMax,
        "1B..");
  }
}
