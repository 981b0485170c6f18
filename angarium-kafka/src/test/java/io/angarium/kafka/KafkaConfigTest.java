package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.ConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaConfigTest {
  private final KafkaConfig config = KafkaConfig.of("localhost:9092");

  @Test
  void defaultsFitTheLeaseOfTheRelay() {
    try (KafkaTransport transport = KafkaTransport.open(KafkaConfig.of("127.0.0.1:1"))) {
      assertThat(transport.resultMax()).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void listsAllFaultsAtOnce() {
    assertFaults(
            () ->
                new KafkaConfig(
                    "nowhere",
                    " ",
                    Duration.ofSeconds(-1),
                    Duration.ofHours(1),
                    Duration.ZERO,
                    Duration.ofDays(1),
                    1,
                    7,
                    KafkaConfig.Compression.NONE,
                    Map.of("acks", "1"),
                    null))
        .hasSize(10)
        .contains("kafka.bootstrap-servers: 'nowhere' (expected: host:port)")
        .contains("kafka.client-id: ' ' (expected: 1..200 characters)")
        .contains("kafka.batch: 7 (expected: 1024..16777216)")
        .anyMatch(fault -> fault.startsWith("kafka.properties.acks: 1 (expected: "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a:1", "a:9092,b:9093", " a:1 , b:2 ", "[::1]:9092", "PLAINTEXT://a.b-c.d:1"})
  void takesServersAsHostAndPort(String servers) {
    assertThat(KafkaConfig.of(servers).bootstrapServers()).isEqualTo(servers);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a:", ":1", "a:0", "a:65536", "a:1,", "a:1,,b:2", "a:1 b:2"})
  void doesNotTakeOtherFormsOfServers(String servers) {
    assertFaults(() -> KafkaConfig.of(servers))
        .isNotEmpty()
        .allMatch(fault -> fault.startsWith("kafka.bootstrap-servers: "));
  }

  @ParameterizedTest
  @CsvSource({
    "acks,1",
    "acks,0",
    "enable.idempotence,false",
    "max.in.flight.requests.per.connection,5",
    "retries,3",
    "partitioner.ignore.keys,true",
    "partitioner.class,org.apache.kafka.clients.producer.RoundRobinPartitioner",
    "transactional.id,tx",
    "isolation.level,read_uncommitted",
    "key.serializer,org.apache.kafka.common.serialization.StringSerializer",
    "linger.ms,5",
    "compression.type,lz4",
    "bootstrap.servers,b:1",
    "request.timeout.ms,5001",
    "request.timeout.ms,abc",
    "max.request.size,99999999999",
    "security.protocol,NOTHING"
  })
  void doesNotTakePropertiesThatWeakenIt(String property, String value) {
    assertFaults(() -> config.properties(Map.of(property, value)))
        .isNotEmpty()
        .allMatch(fault -> fault.startsWith("kafka.properties." + property + ": "));
  }

  @ParameterizedTest
  @CsvSource({
    "acks,all",
    "acks,-1",
    "enable.idempotence,true",
    "max.in.flight.requests.per.connection,1",
    "isolation.level,read_committed",
    "request.timeout.ms,4000",
    "max.request.size,20000000",
    "security.protocol,SASL_SSL",
    "some.interceptor.setting,x"
  })
  void takesPropertiesThatDoNot(String property, String value) {
    KafkaConfig changed = config.properties(Map.of(property, value));

    assertThat(changed.properties()).containsEntry(property, value);
  }

  /** The client would not start, and name a property that may not be set. */
  @Test
  void lingerThatLeavesNoTimeForARequestIsAFault() {
    KafkaConfig hasty = config.deliveryTimeout(Duration.ofMillis(500));

    assertFaults(() -> hasty.linger(Duration.ofMillis(251)))
        .containsExactly("kafka.linger: 251ms (expected: at most half of delivery-timeout, 250ms)");
    assertThat(hasty.linger(Duration.ofMillis(250)).linger()).hasMillis(250);
  }

  @Test
  void propertiesReachTheProducerButNeverWeakenIt() {
    KafkaConfig changed =
        config
            .properties(Map.of("security.protocol", "SSL", "request.timeout.ms", "1234"))
            .linger(Duration.ofMillis(3))
            .compression(KafkaConfig.Compression.ZSTD);

    assertThat(ProducerSettings.producer(changed, "me"))
        .containsEntry("security.protocol", "SSL")
        .containsEntry("request.timeout.ms", "1234")
        .containsEntry("client.id", "me")
        .containsEntry("linger.ms", 3L)
        .containsEntry("compression.type", "zstd")
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", true)
        .containsEntry("max.in.flight.requests.per.connection", 1);
  }

  @Test
  void pausesBetweenConnectionsAreOursUnlessEitherIsSet() {
    assertThat(ProducerSettings.producer(config, "me"))
        .containsEntry("reconnect.backoff.ms", 200L)
        .containsEntry("reconnect.backoff.max.ms", 1000L);
    KafkaConfig changed = config.properties(Map.of("reconnect.backoff.ms", "300"));
    assertThat(ProducerSettings.producer(changed, "me"))
        .containsEntry("reconnect.backoff.ms", "300")
        .doesNotContainKey("reconnect.backoff.max.ms"); // Kafka then uses the first one for both
    changed = config.properties(Map.of("reconnect.backoff.max.ms", "3000"));
    assertThat(ProducerSettings.producer(changed, "me"))
        .containsEntry("reconnect.backoff.max.ms", "3000")
        .doesNotContainKey("reconnect.backoff.ms");
  }

  @Test
  void eachCopyChangesItsPartOnly() {
    KafkaConfig changed =
        config
            .clientId("c")
            .linger(Duration.ofMillis(1))
            .deliveryTimeout(Duration.ofSeconds(3))
            .holdMax(Duration.ofSeconds(1))
            .missingAfter(Duration.ofSeconds(9))
            .bufferBytes(32 << 20)
            .batchBytes(65_536)
            .compression(KafkaConfig.Compression.LZ4)
            .properties(Map.of("sasl.jaas.config", "secret"));

    assertThat(changed)
        .isEqualTo(
            new KafkaConfig(
                "localhost:9092",
                "c",
                Duration.ofMillis(1),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                Duration.ofSeconds(9),
                32 << 20,
                65_536,
                KafkaConfig.Compression.LZ4,
                Map.of("sasl.jaas.config", "secret"),
                null));
  }

  @Test
  void anSslContextTakesThePlaceOfStoresAndWantsTls() throws Exception {
    SSLContext context = SSLContext.getDefault();

    assertThat(config.properties(Map.of("security.protocol", "SASL_SSL")).sslContext(context))
        .extracting(KafkaConfig::sslContext)
        .isSameAs(context);
    assertFaults(
            () ->
                config
                    .properties(
                        Map.of(
                            "security.protocol",
                            "SASL_PLAINTEXT",
                            "ssl.truststore.location",
                            "/t.p12",
                            "ssl.key.password",
                            "hush"))
                    .sslContext(context))
        .containsExactlyInAnyOrder(
            "kafka.properties.ssl.truststore.location: set (expected: not set beside an SSL"
                + " context)",
            "kafka.properties.ssl.key.password: set (expected: not set beside an SSL context)",
            "kafka.properties.security.protocol: SASL_PLAINTEXT (expected: SSL or SASL_SSL beside"
                + " an SSL context)");
    assertFaults(() -> config.sslContext(context))
        .containsExactly(
            "kafka.properties.security.protocol: not set (expected: SSL or SASL_SSL beside an SSL"
                + " context)");
  }

  @Test
  void itsTextHidesTheValuesOfProperties() {
    KafkaConfig secret = config.properties(Map.of("sasl.jaas.config", "password"));

    assertThat(secret.toString()).contains("sasl.jaas.config").doesNotContain("password");
  }

  @Test
  void whatOnlyTheKafkaClientCanCheckStopsTheStart() {
    KafkaConfig wrong =
        KafkaConfig.of("127.0.0.1:1")
            .properties(
                Map.of("security.protocol", "SSL", "ssl.truststore.location", "/no/such/store"));

    assertFaults(() -> KafkaTransport.open(wrong))
        .hasSize(1)
        .first()
        .asString()
        .startsWith("kafka: ");
  }

  private static ListAssert<String> assertFaults(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    AbstractThrowableAssert<?, ? extends Throwable> thrown = assertThatThrownBy(call);
    List<String> faults = thrown.asInstanceOf(type(ConfigurationException.class)).actual().faults();
    return assertThat(faults);
  }
}
