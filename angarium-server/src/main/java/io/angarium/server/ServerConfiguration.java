package io.angarium.server;

import io.angarium.InvalidMessageException;
import io.angarium.MessageIntake;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import io.angarium.half.CheckBackTransport;
import io.angarium.half.HalfMessages;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcIntakeTopics;
import io.angarium.jdbc.JdbcUndecided;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaHalfIntake;
import io.angarium.micrometer.ObservationHelp;
import io.angarium.spring.autoconfigure.AngariumProperties;
import io.angarium.spring.autoconfigure.ConfigurationPart;
import io.angarium.store.DeadLetters;
import io.angarium.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/** What the server has besides the starter. */
@Configuration(proxyBeanMethods = false)
class ServerConfiguration {
  /** What Spring and Tomcat measure without a word about it. */
  @Bean
  static ObservationHelp meterHelp() {
    return new ObservationHelp(
        Map.of(
            "http.server.requests", "Requests over HTTP that were answered",
            "http.server.requests.active", "Requests over HTTP that are not answered yet",
            "tomcat.sessions.active.current", "Sessions of Tomcat; the server makes none",
            "tomcat.sessions.active.max", "Most sessions of Tomcat at a time",
            "tomcat.sessions.alive.max", "Longest life of a session of Tomcat",
            "tomcat.sessions.created", "Sessions of Tomcat that were made",
            "tomcat.sessions.expired", "Sessions of Tomcat that ran out",
            "tomcat.sessions.rejected", "Sessions of Tomcat that were refused"));
  }

  @Bean
  static ConfigurationPart<ServerProperties> serverPart() {
    return new ConfigurationPart<>(
        ServerProperties.PREFIX, ServerProperties.class, ServerFaults::of);
  }

  @Bean
  static EmbeddedDatabase.Pools embeddedDatabases() {
    return new EmbeddedDatabase.Pools();
  }

  /** After those of the starter, with which they are checked. */
  @Bean
  ServerProperties serverProperties(AngariumProperties checked, Environment environment) {
    return Binder.get(environment).bindOrCreate(ServerProperties.PREFIX, ServerProperties.class);
  }

  /** Keys may hold what Tomcat would refuse or read as parts of a path. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> pathsAsTheyAre() {
    return factory ->
        factory.addConnectorCustomizers(
            connector -> {
              connector.setEncodedSolidusHandling("passthrough");
              connector.setEncodedReverseSolidusHandling("passthrough");
            });
  }

  @Bean
  ApiKeys apiKeys(ServerProperties properties) {
    return new ApiKeys(properties, TimeSource.SYSTEM);
  }

  @Bean
  Access access(ApiKeys keys, ServerProperties properties) {
    OAuth2Properties given = properties.oauth2();
    Tokens tokens = given.isWanted() ? Tokens.of(given, TimeSource.SYSTEM) : null;
    return new Access(keys, tokens, TimeSource.SYSTEM);
  }

  @Bean
  AccessFilter accessFilter(Access access, Environment environment) {
    return new AccessFilter(access, MeasuringFaults.basePath(environment));
  }

  @Bean
  BodyMemory bodyMemory(ServerProperties properties) {
    return new BodyMemory(properties.memory().toBytes());
  }

  @Bean
  StopDelay stopDelay(ServerProperties properties, WebServerApplicationContext context) {
    return new StopDelay(properties.stopDelay(), context);
  }

  @Bean
  RequestBodies requestBodies(ServerProperties properties, BodyMemory memory) {
    return new RequestBodies(
        (int) properties.requestMax().toBytes(),
        memory,
        properties.bodyTimeout(),
        TimeSource.SYSTEM);
  }

  @Bean
  CheckBackAddresses checkBackAddresses(
      ObjectProvider<CheckBackTransport> transports,
      ObjectProvider<Transport> sending,
      ServerProperties properties,
      Environment environment) {
    boolean sends = OnSwitch.Switches.isOn(environment, "angarium.relay.enabled", true);
    List<String> own = sending.orderedStream().map(Transport::name).toList();
    List<String> names =
        Stream.concat(own.stream(), properties.otherTransports().stream()).toList();
    boolean isDefaultKnown =
        own.size() == 1
            || !properties.otherTransports().isEmpty()
            || environment.containsProperty("angarium.relay.default-transport");
    return new CheckBackAddresses(
        transports.orderedStream().toList(),
        new DtmReserved(properties.dtm().business()),
        sends && !names.contains("*")
            ? KnownTransports.of(names, isDefaultKnown)
            : KnownTransports.ANY);
  }

  @Bean
  ServerMetrics serverMetrics(MeterRegistry registry, BodyMemory memory) {
    ServerMetrics metrics = new ServerMetrics(registry);
    metrics.show(memory);
    return metrics;
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  UndecidedQuota undecidedQuota(ServerProperties properties, JdbcDatabase database) {
    JdbcUndecided undecided = database.undecided();
    return new UndecidedQuota(properties.undecidedMax(), undecided::count);
  }

  @Bean
  MessageDesk messageDesk(
      HalfMessages half,
      MessageIntake intake,
      CheckBackAddresses checkBackAddresses,
      UndecidedQuota quota) {
    return new MessageDesk(half, intake, checkBackAddresses, quota);
  }

  @Bean
  KafkaIntakeLifecycle kafkaIntake(
      ServerProperties properties,
      ObjectProvider<KafkaConfig> kafka,
      HalfMessages half,
      CheckBackAddresses checkBackAddresses,
      JdbcIntakeTopics registered,
      ServerMetrics metrics,
      UndecidedQuota quota,
      AngariumProperties starter) {
    ServerProperties.KafkaIntake given = properties.kafkaIntake();
    Caller caller = Caller.kafka(given, payloadBytesMax(starter), TimeSource.SYSTEM);
    HalfMessages permitted =
        new PermittedHalfMessages(
            half,
            caller,
            checkBackAddresses,
            quota,
            refusal -> new InvalidMessageException(String.valueOf(refusal.getMessage())));
    KafkaIntakeLifecycle intake =
        new KafkaIntakeLifecycle(
            given.isWanted(),
            () ->
                given.registry().enabled()
                    ? KafkaHalfIntake.start(
                        kafka.getObject(), given.config(), permitted, registered, TimeSource.SYSTEM)
                    : KafkaHalfIntake.start(kafka.getObject(), given.config(), permitted));
    if (given.isWanted()) {
      metrics.show(intake);
    }
    return intake;
  }

  /** Red while nothing is taken from Kafka, as a record in the way would be noticed by nobody. */
  @Bean
  HealthIndicator kafkaIntakeHealthIndicator(KafkaIntakeLifecycle intake) {
    return () ->
        intake
            .trouble()
            .map(reason -> Health.down().withDetail("reason", reason).build())
            .orElseGet(() -> Health.up().build());
  }

  /** Of every message, whoever sends it. */
  static long payloadBytesMax(AngariumProperties starter) {
    DataSize given = starter.limits().payload();
    return given == null ? MessageLimits.DEFAULTS.payloadBytesMax() : given.toBytes();
  }

  @Bean
  JdbcIntakeTopics intakeTopics(JdbcDatabase database) {
    return database.intakeTopics();
  }

  @Bean
  @OnSwitch(value = "log.enabled", otherwise = true)
  LogTransport logTransport() {
    return new LogTransport();
  }

  @Bean
  ConsoleHeaders consoleHeaders() {
    return new ConsoleHeaders();
  }

  @Bean
  ConsoleDesk consoleDesk(DeadLetters dead) {
    return new ConsoleDesk(dead);
  }
}
