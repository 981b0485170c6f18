package io.angarium.spring.autoconfigure.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.spring.settings.AngariumProperties;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Which name a slip is told to mean, and which names of others are left alone. */
class UnknownNamesTest {
  private final PropertyNames names = PropertyNames.of("", AngariumProperties.class);
  private final UnknownNames unknown = new UnknownNames(names);

  @ParameterizedTest
  @CsvSource({
    "kafka.bootstrap-server, kafka.bootstrap-servers",
    "kafka.boostrap-servers, kafka.bootstrap-servers",
    "kafak.bootstrap-servers, kafka.bootstrap-servers",
    "kafka.bootstrap.servers, kafka.bootstrap-servers",
    "relay.graze, relay.grace",
    "relay.lease.tll, relay.lease.ttl",
    "jdbc.schema.mode, jdbc.schema-mode",
    "http.hooks.orders.ulr, http.hooks.orders.url",
    "enable, enabled",
  })
  void slipIsToldToMeanTheNearestName(String given, String meant) {
    assertThat(unknown.fault("angarium." + given))
        .isEqualTo(
            "angarium.%s: unknown property (did you mean angarium.%s?)".formatted(given, meant));
  }

  @ParameterizedTest
  @CsvSource({
    "bootstrap-servers, kafka.bootstrap-servers",
    "relay.ttl, relay.lease.ttl",
    "outbox.schema-mode, inbox.schema-mode or angarium.jdbc.schema-mode",
    "sending.max-pause, circuit.max-pause or angarium.half.check.max-pause or"
        + " angarium.retry.max-pause",
  })
  void nameOfAnotherGroupIsFoundByItsEnd(String given, String meant) {
    assertThat(unknown.fault("angarium." + given))
        .endsWith("(did you mean angarium." + meant + "?)");
  }

  @Test
  void nameUnlikeAllIsGuessedToBeNone() {
    assertThat(unknown.fault("angarium.pigeon.colour"))
        .isEqualTo(
            "angarium.pigeon.colour: unknown property (expected: one of docs/configuration.md)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"angarium.relay.sweep", "angarium.relay.Sweep"})
  void propertyThatWasRemovedIsToldWithWhatHoldsNow(String given) {
    assertThat(unknown.fault(given))
        .isEqualTo(
            given
                + ": removed in 0.2.0 (it is 1m; a bean of RelayConfig changes it; remove the"
                + " property)");
    assertThat(faults(Map.of("ANGARIUM_RELAY_DELETESIZE", "5"), Map.of(given, "5m")))
        .containsExactly(
            "system property " + unknown.fault(given),
            "environment variable ANGARIUM_RELAY_DELETESIZE: removed in 0.2.0 (it is 1000; a bean"
                + " of RelayConfig changes it; remove the property)");
  }

  @Test
  void removedPropertyOfWhatTheUserNamesIsToldToo() {
    assertThat(unknown.fault("angarium.reconciliation.tasks.Orders.interval"))
        .contains("removed in 0.2.0");
    assertThat(faults(Map.of("ANGARIUM_RECONCILIATION_TASKS_ORDERS_INTERVAL", "5s"), Map.of()))
        .singleElement()
        .asString()
        .contains("removed in 0.2.0");
  }

  @ParameterizedTest
  @CsvSource({
    "ANGARIUM_KAFKA_BOOTSTRAPSERVER, ANGARIUM_KAFKA_BOOTSTRAPSERVERS",
    "ANGARIUM_KAFKA_BOOTSTRAP_SERVER, ANGARIUM_KAFKA_BOOTSTRAPSERVERS",
    "ANGARIUM_RELAY_ENABLE, ANGARIUM_RELAY_ENABLED",
    "angarium_jdbc_shema_mode, ANGARIUM_JDBC_SCHEMAMODE",
    "ANGARIUM_RELAY_GRAC, ANGARIUM_RELAY_GRACE",
  })
  void slipInAnEnvironmentVariableIsAFault(String variable, String meant) {
    assertThat(faults(Map.of(variable, "value"), Map.of()))
        .containsExactly(
            "environment variable %s: unknown property (did you mean %s?)"
                .formatted(variable, meant));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ANGARIUM_KAFKA_BOOTSTRAPSERVERS",
        "ANGARIUM_KAFKA_BOOTSTRAP_SERVERS",
        "ANGARIUM_HTTP_HOOKS_ORDERS_URL",
        "ANGARIUM_HALF_CHECK_ALLOWEDHOSTS_0",
        "ANGARIUM_KAFKA_PROPERTIES_ACKS",
        "ANGARIUM_JDBC_SCHEMA_MODE",
      })
  void everyFormOfAVariableThatIsBoundIsKnown(String variable) {
    assertThat(faults(Map.of(variable, "value"), Map.of())).isEmpty();
  }

  /** Kubernetes makes them for services called angarium, angarium-kafka and angarium-relay. */
  @Test
  void linksToServicesAreLeftAlone() {
    Map<String, Object> links = new LinkedHashMap<>();
    for (String service :
        List.of("ANGARIUM", "ANGARIUM_KAFKA", "ANGARIUM_RELAY", "ANGARIUM_HTTP")) {
      links.put(service + "_SERVICE_HOST", "10.0.0.1");
      links.put(service + "_SERVICE_PORT", "8090");
      links.put(service + "_SERVICE_PORT_HTTP", "8090");
      links.put(service + "_PORT", "tcp://10.0.0.1:8090");
      links.put(service + "_PORT_8090_TCP", "tcp://10.0.0.1:8090");
      links.put(service + "_PORT_8090_TCP_PROTO", "tcp");
      links.put(service + "_PORT_8090_TCP_PORT", "8090");
      links.put(service + "_PORT_8090_TCP_ADDR", "10.0.0.1");
    }

    assertThat(faults(links, Map.of())).isEmpty();
  }

  /** A service may be called like a property: angarium-relay-nod, angarium-enable. */
  @Test
  void linkThatIsNearlyAPropertyIsLeftAlone() {
    Map<String, Object> links =
        Map.of(
            "ANGARIUM_HTTP_TYPE", "tcp://10.0.0.1:80",
            "ANGARIUM_RELAY_NOD", "tcp://10.0.0.1:80",
            "ANGARIUM_ENABLE_PORT", "tcp://10.0.0.1:80");

    assertThat(faults(links, Map.of())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ANGARIUM_SERVER_OPTS",
        "ANGARIUM_TEST_KAFKA",
        "ANGARIUM_REQUIRE_SERVERS",
        "ANGARIUM_HOME",
        "ANGARIUM_RELAY_NAME", // read by a placeholder, perhaps
        "ANGARIUM_RELAY_MODE",
        "ANGARIUM_NODE",
        "ANGARIUM_VERSION",
        "ANGARIUM",
        "ANGARIUM_",
      })
  void variablesOfOthersAreLeftAlone(String variable) {
    assertThat(faults(Map.of(variable, "value"), Map.of())).isEmpty();
  }

  @Test
  void slipInASystemPropertyIsAFault() {
    assertThat(
            faults(
                Map.of(),
                Map.of(
                    "angarium.relay.enable", "false",
                    "angarium.relay.node", "one",
                    "angarium.relay.name", "one",
                    "angarium.relay.mode", "one",
                    "angarium.test.jvm", "",
                    "angarium.docs.write", "true")))
        .containsExactly(
            "system property angarium.relay.enable: unknown property"
                + " (did you mean angarium.relay.enabled?)");
  }

  /** A rule that nobody's name would ever be near to would not be worth its code. */
  @Test
  void everyNameLosesItsLastCharacterAndIsFoundAgain() {
    assertThat(names.all().stream().filter(name -> !name.contains("*") && name.length() > 8))
        .hasSizeGreaterThan(100)
        .allSatisfy(
            name -> {
              String cut = name.substring(0, name.length() - 1);
              assertThat(names.contains(cut)).isFalse();
              assertThat(names.like(cut)).contains(name);
            });
  }

  private List<String> faults(Map<String, Object> variables, Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .replace(
            "systemEnvironment",
            new SystemEnvironmentPropertySource("systemEnvironment", variables));
    environment
        .getPropertySources()
        .replace("systemProperties", new MapPropertySource("systemProperties", properties));
    return unknown.faultsOfProcess(environment);
  }
}
