package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.ConfigurationException;
import io.angarium.server.start.LogTransport;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What stops the start. */
class ServerStartTest {
  private static final String KEYS = "angarium.server.api-keys.";

  /** One caller has half of the memory. */
  @Test
  void largestRequestFitsInTheMemoryOfOneCaller() {
    assertThat(faults("angarium.server.memory=15MB"))
        .singleElement()
        .asString()
        .startsWith("angarium.server.memory: 15728640B (expected: 16777216B..");
    assertThat(
            faults(
                "angarium.server.memory=17MB",
                "angarium.server.grpc.enabled=true",
                "angarium.server.grpc.request-max=9MB"))
        .singleElement()
        .asString()
        .startsWith("angarium.server.memory: 17825792B (expected: 18874368B..");
  }

  @Test
  void everyFaultIsListedAtOnceWithThoseOfTheStarter() {
    List<String> faults =
        faults(
            "angarium.relay.grace=soon",
            "angarium.relay.poll.idle=1h",
            "angarium.server.request-max=1KB",
            "angarium.server.memory=10B",
            "angarium.server.body-timeout=10ms",
            "angarium.server.stop-delay=6m",
            "angarium.retention.half-messages=1h",
            "angarium.server.log.enabled=perhaps",
            "angarium.server.speed=high",
            KEYS + "shop.hashes=plain-text-key",
            KEYS + "shop.rate=0",
            KEYS + "shop.steps=prepare,sell",
            KEYS + "audit.hashes=" + ServerUnderTest.HASH,
            KEYS + "audit.colour=red",
            "angarium.server.kafka-intake.payload-max=0B",
            "angarium.server.kafka-intake.topics=a/b");

    assertThat(faults)
        .anyMatch(f -> f.startsWith("angarium.relay.grace: soon (expected: a duration"))
        .anyMatch(f -> f.startsWith("angarium.relay.poll.idle: 1h (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.request-max: 1024B (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.memory: 10B (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.body-timeout: 10ms (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.stop-delay: 6m (expected: "))
        .anyMatch(f -> f.startsWith("angarium.retention.half-messages: 1h (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.log.enabled: perhaps (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.speed: unknown property"))
        .anyMatch(f -> f.startsWith(KEYS + "shop.hashes[0]: its value (expected: sha256:"))
        .anyMatch(f -> f.startsWith(KEYS + "shop.businesses: none (expected: "))
        .anyMatch(f -> f.startsWith(KEYS + "shop.rate: 0 (expected: "))
        .anyMatch(f -> f.startsWith(KEYS + "shop.steps: prepare,sell (expected: "))
        .anyMatch(f -> f.startsWith(KEYS + "audit.businesses: none (expected: "))
        .anyMatch(f -> f.startsWith(KEYS + "audit.destinations: none (expected: "))
        .anyMatch(f -> f.startsWith(KEYS + "audit.colour: unknown property"))
        .anyMatch(f -> f.startsWith("angarium.server.kafka-intake.topics: 'a/b' (expected: "))
        .anyMatch(f -> f.startsWith("angarium.server.kafka-intake.dead-letter-topic: ''"))
        .anyMatch(f -> f.startsWith("angarium.server.kafka-intake.destinations: none"))
        .anyMatch(f -> f.startsWith("angarium.server.kafka-intake.businesses: none"))
        .anyMatch(f -> f.startsWith("angarium.server.kafka-intake.payload-max: 0B (expected: 1B.."))
        .anyMatch(f -> f.startsWith("angarium.kafka.enabled: false (expected: true"))
        .noneMatch(f -> f.contains("plain-text-key"));
  }

  @Test
  void registryOfTopicsIsCheckedWithTheRestOfTheIntake() {
    String intake = "angarium.server.kafka-intake.";
    assertThat(
            faults(
                "angarium.relay.enabled=false",
                intake + "registry.enabled=true",
                intake + "registry.interval=100ms",
                intake + "registry.colour=red"))
        .anyMatch(f -> f.startsWith(intake + "registry.interval: 100ms (expected: 1s..1h)"))
        .anyMatch(f -> f.startsWith(intake + "registry.colour: unknown property"))
        .anyMatch(f -> f.startsWith(intake + "dead-letter-topic: ''"))
        .anyMatch(f -> f.startsWith(intake + "destinations: none"))
        .anyMatch(f -> f.startsWith(intake + "businesses: none"))
        .anyMatch(f -> f.startsWith("angarium.kafka.enabled: false (expected: true"))
        .anyMatch(f -> f.startsWith("angarium.relay.enabled: false (expected: true"))
        .hasSize(7);
    assertThat(faults(intake + "registry.interval=5s"))
        .singleElement()
        .asString()
        .startsWith(intake + "registry.interval: 5s (expected: none, or");
    for (String alone :
        List.of("dead-letter-topic=half-dead", "businesses=order", "payload-max=1KB")) {
      assertThat(faults(intake + alone))
          .singleElement()
          .asString()
          .startsWith(intake + "topics: none (expected: topics, a topic-pattern, or registry");
    }
  }

  @Test
  void callsOfDtmWantSomewhereToGo() {
    assertThat(
            faults(
                "angarium.server.dtm.enabled=true",
                "angarium.server.dtm.business=",
                "angarium.relay.enabled=false",
                "angarium.http.enabled=false"))
        .anyMatch(f -> f.startsWith("angarium.server.dtm.business: ''"))
        .anyMatch(f -> f.startsWith("angarium.relay.enabled: false (expected: true, as angarium"))
        .anyMatch(f -> f.startsWith("angarium.http.enabled: false (expected: true, as angarium"))
        .anyMatch(f -> f.startsWith("angarium.http.allowed-hosts: none (expected: hosts of steps"))
        .hasSize(4);
  }

  /** What is on for the faults has to be on for the calls, and off likewise. */
  @Test
  void switchesAreReadAlikeEverywhere() {
    try (ServerUnderTest off =
        ServerUnderTest.open(
            "angarium.server.dtm.enabled=off",
            "angarium.server.log.enabled=no",
            "angarium.http.allowed-hosts=127.0.0.1:1")) {
      assertThat(off.send(off.request("/api/dtmsvr/newGid")).statusCode()).isEqualTo(404);
      assertThat(off.beans(LogTransport.class)).isEmpty();
    }
    try (ServerUnderTest on =
        ServerUnderTest.open(
            "angarium.server.dtm.enabled=on",
            "angarium.server.log.enabled=yes",
            "angarium.http.allowed-hosts=127.0.0.1:1")) {
      assertThat(on.send(on.request("/api/dtmsvr/newGid")).statusCode()).isEqualTo(200);
      assertThat(on.beans(LogTransport.class)).hasSize(1);
    }
    assertThat(faults("angarium.server.dtm.enabled=on", "angarium.relay.enabled=off"))
        .anyMatch(f -> f.startsWith("angarium.relay.enabled: off (expected: true, as angarium"));
  }

  @Test
  void serverThatOthersCanReachWantsKeys() {
    assertThat(faults("server.address=0.0.0.0"))
        .singleElement()
        .asString()
        .startsWith("angarium.server.api-keys: none (expected: at least one");
    assertThat(faults("server.address="))
        .singleElement()
        .asString()
        .startsWith("angarium.server.api-keys: none");
  }

  @Test
  void serverOnADatabaseOfItsOwnWantsKeys() {
    assertThat(faults("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none"))
        .singleElement()
        .asString()
        .startsWith(
            "angarium.server.api-keys: none (expected: at least one, or angarium.server.oauth2, as the database");
  }

  static List<String> faults(String... properties) {
    Throwable failure = catchThrowable(() -> ServerUnderTest.first(properties).close());
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof ConfigurationException wrong) {
        return wrong.faults();
      }
    }
    throw new AssertionError("no fault is listed", failure);
  }
}
