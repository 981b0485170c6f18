package io.angarium.server;

import io.angarium.InvalidMessageException;
import io.angarium.TimeSource;
import io.angarium.half.HalfMessages;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcIntakeTopics;
import io.angarium.jdbc.JdbcUndecided;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.intake.KafkaHalfIntake;
import io.angarium.micrometer.ObservationHelp;
import io.angarium.server.access.Access;
import io.angarium.server.access.AccessFilter;
import io.angarium.server.access.ApiKeys;
import io.angarium.server.access.Caller;
import io.angarium.server.access.Tokens;
import io.angarium.server.bodies.AwaitedBodies;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.server.calls.CheckBackAddresses;
import io.angarium.server.calls.KnownTransports;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.calls.PermittedHalfMessages;
import io.angarium.server.calls.UndecidedQuota;
import io.angarium.server.dtm.DtmReserved;
import io.angarium.server.faults.MeasuringFaults;
import io.angarium.server.faults.ServerFaults;
import io.angarium.server.kafka.KafkaIntakeLifecycle;
import io.angarium.server.metrics.ServerMetrics;
import io.angarium.server.settings.OAuth2Properties;
import io.angarium.server.settings.OnSwitch;
import io.angarium.server.settings.ServerProperties;
import io.angarium.server.start.EmbeddedDatabase;
import io.angarium.server.start.LogTransport;
import io.angarium.server.start.StopDelay;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.spring.settings.ConfigurationPart;
import io.angarium.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

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

  /** Binds the server's properties after the starter's, because both are checked together. */
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
  RequestBodies requestBodies(
      ServerProperties properties, BodyMemory memory, Environment environment) {
    int places = // a body on a virtual thread takes its connection only
        Threading.VIRTUAL.isActive(environment)
            ? environment.getProperty("server.tomcat.max-connections", Integer.class, 8_192)
            : environment.getProperty("server.tomcat.threads.max", Integer.class, 200);
    return new RequestBodies(
        (int) properties.requestMax().toBytes(),
        memory,
        new AwaitedBodies(Math.max(1, places / 2)), // the others are for other callers
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
        new DtmReserved(properties.dtm().business())::faultOf,
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
    Caller caller =
        Caller.kafka(given, ServerProperties.payloadBytesMax(starter), TimeSource.SYSTEM);
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

  @Bean
  JdbcIntakeTopics intakeTopics(JdbcDatabase database) {
    return database.intakeTopics();
  }

  @Bean
  @OnSwitch(value = "log.enabled", otherwise = true)
  LogTransport logTransport() {
    return new LogTransport();
  }
}
