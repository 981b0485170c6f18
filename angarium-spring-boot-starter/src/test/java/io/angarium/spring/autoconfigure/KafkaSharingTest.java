package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.ConfigurationException;
import io.angarium.kafka.KafkaConfig;
import io.angarium.spring.autoconfigure.internal.details.DetailsReader;
import io.angarium.spring.autoconfigure.internal.details.KafkaDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.KafkaMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** What Angarium's Kafka clients share with those of the application, and what is a fault. */
class KafkaSharingTest {
  private static final SslBundle BUNDLE =
      SslBundle.of(
          new JksSslStoreBundle(null, null),
          SslBundleKey.NONE,
          SslOptions.of(null, new String[] {"TLSv1.3"}));

  private final Map<String, Object> properties = new HashMap<>(Map.of("angarium.enabled", "true"));
  private final GenericApplicationContext context = new GenericApplicationContext();

  @BeforeEach
  void take() {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("given", properties));
    context.registerBean(
        DetailsReader.class, AngariumBoot4DetailsAutoConfiguration.OnKafka::angariumKafkaDetails);
    context.registerBean(SslBundles.class, () -> new DefaultSslBundleRegistry("cluster", BUNDLE));
  }

  @AfterEach
  void close() {
    context.close();
  }

  private void with(String name, String value) {
    properties.put(name, value);
  }

  private void details(@Nullable String protocol, @Nullable SslBundle bundle) {
    context.registerBean(
        KafkaConnectionDetails.class,
        () ->
            new KafkaConnectionDetails() {
              @Override
              public List<String> getBootstrapServers() {
                return List.of("container:1", "container:2");
              }

              @Override
              public @Nullable String getSecurityProtocol() {
                return protocol;
              }

              @Override
              public @Nullable SslBundle getSslBundle() {
                return bundle;
              }
            });
  }

  private KafkaDefaults spring() {
    if (!context.isActive()) {
      context.refresh();
    }
    return KafkaDefaults.of(context);
  }

  private AngariumProperties given() {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bind("angarium", AngariumProperties.class)
        .get();
  }

  private KafkaConfig config() {
    return KafkaMapping.kafka(given(), spring());
  }

  private List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Runnable check : KafkaMapping.checks(given(), spring())) {
      try {
        check.run();
      } catch (ConfigurationException e) {
        faults.addAll(e.faults());
      }
    }
    return faults;
  }

  @Test
  void securityOfSpringIsTakenOverAndNothingElse() {
    with("spring.kafka.bootstrap-servers[0]", "a:1");
    with("spring.kafka.bootstrap-servers[1]", "b:2");
    with("spring.kafka.security.protocol", "SASL_SSL");
    with("spring.kafka.ssl.trust-store-location", "file:/etc/trust.p12");
    with("spring.kafka.ssl.trust-store-type", "PKCS12");
    with("spring.kafka.ssl.key-store-password", "hush");
    with("spring.kafka.properties.sasl.mechanism", "PLAIN");
    with("spring.kafka.properties.sasl.jaas.config", "login");
    with("spring.kafka.properties.linger.ms", "50");
    with("spring.kafka.producer.acks", "1");
    with("spring.kafka.producer.compression-type", "gzip");

    assertThat(config().bootstrapServers()).isEqualTo("a:1,b:2");
    assertThat(config().properties())
        .containsOnly(
            Map.entry("security.protocol", "SASL_SSL"),
            Map.entry("ssl.truststore.location", "/etc/trust.p12"),
            Map.entry("ssl.truststore.type", "PKCS12"),
            Map.entry("ssl.keystore.password", "hush"),
            Map.entry("sasl.mechanism", "PLAIN"),
            Map.entry("sasl.jaas.config", "login"));
    assertThat(faults()).isEmpty();
  }

  @Test
  void aBundleOfSpringIsTakenOverWithItsOptions() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SSL");
    with("spring.kafka.ssl.bundle", "cluster");

    assertThat(config().sslContext()).isNotNull();
    assertThat(config().properties())
        .containsOnly(
            Map.entry("security.protocol", "SSL"), Map.entry("ssl.enabled.protocols", "TLSv1.3"));
    assertThat(faults()).isEmpty();
  }

  @Test
  void aBundleWithoutTlsOrThatIsUnknownIsAFault() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.ssl.bundle", "cluster");

    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("spring.kafka.security.protocol: not set (expected: SSL or SASL_SSL");

    with("spring.kafka.ssl.bundle", "bunch");
    assertThat(faults())
        .containsExactly(
            "spring.kafka.ssl.bundle: bunch (expected: the name of a bundle below"
                + " spring.ssl.bundle)");
  }

  @Test
  void everyContradictionAboutEncryptionIsAFault() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SSL");
    with("spring.kafka.ssl.trust-store-location", "file:/etc/trust.p12");
    with("spring.kafka.ssl.trust-store-password", "theirs");
    with("angarium.kafka.bootstrap-servers", "a:1");
    with("angarium.kafka.properties.security.protocol", "PLAINTEXT");
    with("angarium.kafka.properties.ssl.truststore.location", "/etc/other.p12");
    with("angarium.kafka.properties.ssl.truststore.password", "ours");

    assertThat(faults())
        .containsExactlyInAnyOrder(
            "kafka.properties.security.protocol: PLAINTEXT (expected: not set, or SSL as the"
                + " properties below spring.kafka say for the same cluster)",
            "kafka.properties.ssl.truststore.location: /etc/other.p12 (expected: not set, or"
                + " /etc/trust.p12 as the properties below spring.kafka say for the same cluster)",
            "kafka.properties.ssl.truststore.password: a value (expected: not set, or a value as"
                + " the properties below spring.kafka say for the same cluster)");
  }

  @Test
  void storesOfOursBesideABundleAreAFault() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SSL");
    with("spring.kafka.ssl.bundle", "cluster");
    with("angarium.kafka.properties.ssl.truststore.location", "/etc/other.p12");

    assertThat(faults())
        .containsExactly(
            "kafka.properties.ssl.truststore.location: /etc/other.p12 (expected: not set, as"
                + " spring.kafka.ssl.bundle names an SSL bundle)");
  }

  @Test
  void anAccountOfOursTakesThePlaceOfSprings() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SASL_SSL");
    with("spring.kafka.properties.sasl.mechanism", "PLAIN");
    with("spring.kafka.properties.sasl.jaas.config", "theirs");
    with("angarium.kafka.properties.sasl.mechanism", "SCRAM-SHA-512");
    with("angarium.kafka.properties.sasl.jaas.config", "ours");

    assertThat(config().properties())
        .containsOnly(
            Map.entry("security.protocol", "SASL_SSL"),
            Map.entry("sasl.mechanism", "SCRAM-SHA-512"),
            Map.entry("sasl.jaas.config", "ours"));
    assertThat(faults()).isEmpty();
  }

  @Test
  void securityOfSpringIsNotForOtherServers() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SASL_SSL");
    with("spring.kafka.properties.sasl.jaas.config", "login");
    with("angarium.kafka.bootstrap-servers", "other:1");

    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith(
            "kafka.properties.security.protocol: not set (expected: the protocol of other:1, e.g.");

    with("angarium.kafka.properties.security.protocol", "PLAINTEXT");
    assertThat(faults()).isEmpty();
    assertThat(config().properties()).containsOnly(Map.entry("security.protocol", "PLAINTEXT"));
  }

  @Test
  void securityForTheApplicationsProducersAloneIsAFault() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.producer.security.protocol", "SSL");
    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("spring.kafka.security.protocol: not set (expected: the security of the");

    with("angarium.kafka.properties.security.protocol", "SSL");
    assertThat(faults()).isEmpty();
  }

  @Test
  void aLoginModuleOfTheJvmIsAFault() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.jaas.enabled", "true");
    assertThat(faults()).isEmpty();

    with("spring.kafka.security.protocol", "SASL_PLAINTEXT");

    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("spring.kafka.jaas.enabled: true (expected: false, and");
  }

  @Test
  void connectionDetailsCountBeforeSpringsProperties() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SASL_SSL");
    details("PLAINTEXT", null);

    assertThat(config().bootstrapServers()).isEqualTo("container:1,container:2");
    assertThat(config().properties()).containsOnly(Map.entry("security.protocol", "PLAINTEXT"));
    assertThat(faults()).isEmpty();
  }

  @Test
  void protocolAndBundleOfConnectionDetailsAreUsed() {
    details("SSL", BUNDLE);

    assertThat(config().sslContext()).isNotNull();
    assertThat(config().properties()).containsEntry("security.protocol", "SSL");
    assertThat(faults()).isEmpty();
  }

  @Test
  void everythingOfOursThatContradictsConnectionDetailsIsAFault() {
    details("PLAINTEXT", null);
    with("angarium.kafka.bootstrap-servers", "production:9092");
    with("angarium.kafka.properties.security.protocol", "SSL");

    assertThat(faults())
        .containsExactly(
            "kafka.bootstrap-servers: production:9092 (expected: not set, or"
                + " container:1,container:2 as the bean of KafkaConnectionDetails says; for another"
                + " cluster define a bean of KafkaConfig)",
            "kafka.properties.security.protocol: SSL (expected: not set, or PLAINTEXT as the bean"
                + " of KafkaConnectionDetails says)");
  }

  @Test
  void whatConnectionDetailsSayMayBeSaidAgainInAnyOrder() {
    details(null, null);
    with("angarium.kafka.bootstrap-servers", "container:2, container:1");

    assertThat(faults()).isEmpty();
  }

  @Test
  void severalConnectionDetailsAreAFaultUnlessOneIsPrimary() {
    details(null, null);
    context.registerBean("another", KafkaConnectionDetails.class, () -> () -> List.of("another:1"));

    assertThat(faults())
        .anyMatch(
            f ->
                f.startsWith("kafka.bootstrap-servers: beans [")
                    && f.contains("of KafkaConnectionDetails (expected: one, or one of them"));
  }

  @Test
  void connectionDetailsWithoutTlsNeedNoBundle() {
    with("spring.kafka.security.protocol", "SSL");
    with("spring.kafka.ssl.bundle", "cluster");
    details("plaintext", null);

    assertThat(config().sslContext()).isNull();
    assertThat(config().properties()).containsOnly(Map.entry("security.protocol", "plaintext"));
    assertThat(faults()).isEmpty();

    with("spring.kafka.ssl.bundle", "only-in-production");
    assertThat(faults()).isEmpty();
  }

  @Test
  void protocolsAreReadInAnyCaseOfLetters() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "ssl");
    with("spring.kafka.ssl.bundle", "cluster");
    with("angarium.kafka.properties.security.protocol", "SSL");

    assertThat(config().sslContext()).isNotNull();
    assertThat(faults()).isEmpty();
  }

  @Test
  void aSettingOfSaslThatIsNoAccountLeavesThatOfSpring() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "SASL_SSL");
    with("spring.kafka.properties.sasl.jaas.config", "theirs");
    with("angarium.kafka.properties.sasl.login.connect.timeout.ms", "5000");

    assertThat(config().properties())
        .containsEntry("sasl.jaas.config", "theirs")
        .containsEntry("sasl.login.connect.timeout.ms", "5000");
    assertThat(faults()).isEmpty();
  }

  @Test
  void anotherProtocolForTheApplicationsProducersAloneIsAFault() {
    with("spring.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.ssl.trust-store-location", "file:/etc/trust.p12");
    with("spring.kafka.producer.properties.security.protocol", "SSL");
    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("spring.kafka.security.protocol: not set (expected: the security of the");

    with("angarium.kafka.bootstrap-servers", "a:1");
    with("spring.kafka.security.protocol", "PLAINTEXT");
    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("spring.kafka.security.protocol: PLAINTEXT (expected: the security of the");

    with("spring.kafka.security.protocol", "ssl");
    assertThat(faults()).isEmpty();
  }
}
