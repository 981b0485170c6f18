package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.spring.autoconfigure.internal.details.DetailsReader;
import io.angarium.spring.autoconfigure.internal.details.RabbitDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.RabbitMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Which of several places counts where the broker's account is told more than once. */
class RabbitMappingTest {
  private static final SslBundle BUNDLE =
      SslBundle.of(new JksSslStoreBundle(null, null), SslBundleKey.NONE);

  private final Map<String, Object> properties = new HashMap<>(Map.of("angarium.enabled", "true"));
  private final GenericApplicationContext context = new GenericApplicationContext();

  @BeforeEach
  void take() {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("given", properties));
    context.registerBean(
        DetailsReader.class, AngariumBoot4DetailsAutoConfiguration.OnRabbit::angariumRabbitDetails);
    context.registerBean(SslBundles.class, () -> new DefaultSslBundleRegistry("broker", BUNDLE));
  }

  @AfterEach
  void close() {
    context.close();
  }

  private ApplicationContext context() {
    if (!context.isActive()) {
      context.refresh();
    }
    return context;
  }

  private void details(RabbitConnectionDetails details) {
    context.registerBean(RabbitConnectionDetails.class, () -> details);
  }

  private void with(String name, String value) {
    properties.put(name, value);
  }

  private AngariumProperties.Rabbitmq given() {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bind("angarium", AngariumProperties.class)
        .get()
        .rabbitmq();
  }

  private RabbitConfig config() {
    return RabbitMapping.rabbit(given(), RabbitDefaults.of(context()));
  }

  private void assertAccount(String username, String password, String virtualHost) {
    assertThat(config().username()).isEqualTo(username);
    assertThat(config().password()).isEqualTo(password);
    assertThat(config().virtualHost()).isEqualTo(virtualHost);
  }

  private void springsProperties() {
    with("spring.rabbitmq.host", "spring");
    with("spring.rabbitmq.username", "app");
    with("spring.rabbitmq.password", "app-secret");
    with("spring.rabbitmq.virtual-host", "app-host");
  }

  @Test
  void springsPropertiesCountWhereNothingElseIsTold() {
    springsProperties();

    assertAccount("app", "app-secret", "app-host");
    assertThat(config().addresses()).isEqualTo("spring:5672");
  }

  @Test
  void springsAddressCountsBeforeSpringsProperties() {
    springsProperties();
    with("spring.rabbitmq.addresses", "amqp://other:other-secret@spring:1/other-host");

    assertAccount("other", "other-secret", "other-host");
  }

  @Test
  void ourAddressCountsBeforeAllOfSpring() {
    springsProperties();
    with("spring.rabbitmq.addresses", "amqp://other:other-secret@spring:1/other-host,spring:2");
    with("angarium.rabbitmq.addresses", "amqp://relay:relay-secret@ours:1/relay-host");

    assertAccount("relay", "relay-secret", "relay-host");
    assertThat(config().addresses()).isEqualTo("ours:1");
  }

  @Test
  void whatOurAddressLeavesOutIsSprings() {
    springsProperties();
    with("spring.rabbitmq.addresses", "amqp://other:other-secret@spring:1,spring:2");
    with("angarium.rabbitmq.addresses", "ours:1");

    assertAccount("other", "other-secret", "app-host");
  }

  @Test
  void ourPropertiesCountBeforeEverything() {
    springsProperties();
    with("angarium.rabbitmq.addresses", "amqp://relay:relay-secret@ours:1/relay-host");
    with("angarium.rabbitmq.username", "own");
    with("angarium.rabbitmq.password", "own-secret");
    with("angarium.rabbitmq.virtual-host", "own-host");

    assertAccount("own", "own-secret", "own-host");
  }

  @Test
  void tlsIsThatOfTheAddressIfItHasAScheme() {
    with("spring.rabbitmq.ssl.enabled", "true");
    with("spring.rabbitmq.addresses", "a");
    assertThat(config().tls()).isTrue();
    assertThat(config().addresses()).isEqualTo("a:5671");

    with("spring.rabbitmq.addresses", "amqp://a");
    assertThat(config().tls()).isFalse();

    with("angarium.rabbitmq.tls", "true");
    assertThat(config().tls()).isTrue();
  }

  @Test
  void aBundleOfCertificatesSwitchesTlsOn() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.bundle", "broker");

    assertThat(config().tls()).isTrue();
    assertThat(config().addresses()).isEqualTo("a:5671");
  }

  @Test
  void aBundleThatIsUnknownIsAFault() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.bundle", "bunch");

    assertThat(faults())
        .containsExactly(
            "spring.rabbitmq.ssl.bundle: bunch (expected: the name of a bundle below"
                + " spring.ssl.bundle)");
  }

  @Test
  void storesThatCannotBeReadAreAFault() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.enabled", "true");
    with("spring.rabbitmq.ssl.trust-store", "file:no-such-file.p12");

    assertThat(faults()).singleElement().asString().contains("spring.rabbitmq.ssl", "no-such-file");
  }

  @Test
  void certificatesOfOursBesideABundleAreAFault() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.bundle", "broker");
    with("angarium.rabbitmq.trusted-certificates", "no-such-file.pem");

    assertThat(faults())
        .anyMatch(
            f ->
                f.startsWith(
                    "rabbitmq.trusted-certificates: no-such-file.pem (expected: not set, as"
                        + " spring.rabbitmq.ssl"));
  }

  @Test
  void tlsOfOursThatContradictsSpringsIsAFaultUnlessTheBrokerIsAnother() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.enabled", "true");
    with("angarium.rabbitmq.tls", "false");

    assertThat(faults())
        .singleElement()
        .asString()
        .startsWith("rabbitmq.tls: false (expected: not set, or true as spring.rabbitmq.ssl");

    with("angarium.rabbitmq.addresses", "b");
    assertThat(faults()).isEmpty();
  }

  @Test
  void everySettingThatWeakensTlsIsAFault() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.verify-hostname", "false");
    with("spring.rabbitmq.ssl.validate-server-certificate", "false");
    assertThat(faults()).isEmpty();

    with("spring.rabbitmq.ssl.enabled", "true");
    assertThat(faults())
        .anyMatch(f -> f.startsWith("spring.rabbitmq.ssl.verify-hostname: false (expected: true"))
        .anyMatch(f -> f.startsWith("spring.rabbitmq.ssl.validate-server-certificate: false"))
        .hasSize(2);
  }

  @Test
  void addressesMayBeAListOfWholeAddresses() {
    with("spring.rabbitmq.addresses[0]", "amqp://other:secret@one:1/host");
    with("spring.rabbitmq.addresses[1]", "amqp://other:secret@two:2/host");

    assertAccount("other", "secret", "host");
    assertThat(config().addresses()).isEqualTo("one:1,two:2");
  }

  @Test
  void connectionDetailsCountBeforeSpringsProperties() {
    springsProperties();
    details(new Details("container", 1234, null));

    assertAccount("test", "test-secret", "/");
    assertThat(config().addresses()).isEqualTo("container:1234");
    assertThat(config().tls()).isFalse();
    assertThat(faults()).isEmpty();
  }

  @Test
  void aBundleOfConnectionDetailsIsUsed() {
    details(new Details("container", 1234, BUNDLE));

    assertThat(config().tls()).isTrue();
    assertThat(config().sslContext()).isNotNull();
    assertThat(faults()).isEmpty();
  }

  @Test
  void everythingOfOursThatContradictsConnectionDetailsIsAFault() {
    details(new Details("container", 1234, null));
    with("angarium.rabbitmq.addresses", "amqp://relay:hush@production:5672/shop");
    with("angarium.rabbitmq.tls", "true");

    assertThat(faults())
        .anyMatch(
            f ->
                f.startsWith(
                    "rabbitmq.addresses: production:5672 (expected: not set, or container:1234 as"
                        + " the bean of RabbitConnectionDetails says; for another broker"))
        .anyMatch(f -> f.startsWith("rabbitmq.username: relay (expected: not set, or test as"))
        .anyMatch(f -> f.startsWith("rabbitmq.password: a password (expected: not set"))
        .anyMatch(f -> f.startsWith("rabbitmq.virtual-host: shop (expected: not set, or / as"))
        .anyMatch(f -> f.startsWith("rabbitmq.tls: true (expected: not set, or false as"))
        .noneMatch(f -> f.contains("hush") || f.contains("test-secret"))
        .hasSize(5);
  }

  @Test
  void whatConnectionDetailsSayMayBeSaidAgain() {
    details(new Details("container", 1234, null));
    with("angarium.rabbitmq.addresses", "container:1234");
    with("angarium.rabbitmq.username", "test");

    assertThat(faults()).isEmpty();
  }

  private record Details(String host, int port, SslBundle bundle)
      implements RabbitConnectionDetails {
    @Override
    public List<Address> getAddresses() {
      return List.of(new Address(host, port));
    }

    @Override
    public String getUsername() {
      return "test";
    }

    @Override
    public String getPassword() {
      return "test-secret";
    }

    @Override
    public SslBundle getSslBundle() {
      return bundle;
    }
  }

  @Test
  void certificatesThatAreTrustedGoWithTls() {
    with("spring.rabbitmq.host", "a");
    with("angarium.rabbitmq.trusted-certificates", "no-such-file.pem");

    assertThat(faults())
        .anyMatch(f -> f.endsWith("(expected: none without rabbitmq.tls)"))
        .anyMatch(f -> f.contains("no-such-file.pem (expected: a file of PEM"))
        .hasSize(2);

    with("spring.rabbitmq.ssl.enabled", "true");
    assertThat(faults())
        .singleElement()
        .asString()
        .contains("no-such-file.pem (expected: a file of PEM");
  }

  private List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Runnable check : RabbitMapping.checks(given(), RabbitDefaults.of(context()))) {
      try {
        check.run();
      } catch (ConfigurationException e) {
        faults.addAll(e.faults());
      }
    }
    return faults;
  }

  @Test
  void withoutAnyAddressThatIsSaid() {
    assertThatThrownBy(this::config)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("rabbitmq.addresses");
    assertThat(RabbitMapping.checks(given(), RabbitDefaults.of(context())).get(0))
        .satisfies(
            check ->
                assertThatThrownBy(check::run)
                    .hasMessageContaining(
                        "rabbitmq.addresses: none (expected: host:port or amqp://"));
  }

  @Test
  void tlsOfOursThatContradictsTheSchemeOfSpringsAddressIsAFault() {
    with("spring.rabbitmq.addresses", "amqps://app:hush@a");
    with("angarium.rabbitmq.tls", "false");

    assertThat(faults())
        .containsExactly(
            "rabbitmq.tls: false (expected: not set, or true as spring.rabbitmq.addresses says for"
                + " the same broker)");
  }

  @Test
  void anAddressOfOursThatContradictsTheTlsOfSpringIsAFaultUnlessTheBrokerIsAnother() {
    with("spring.rabbitmq.host", "a");
    with("spring.rabbitmq.ssl.enabled", "true");
    with("angarium.rabbitmq.addresses", "amqp://relay:hush@a");

    assertThat(faults())
        .containsExactly(
            "rabbitmq.addresses: a:5672 without TLS (expected: with TLS, as spring.rabbitmq.ssl"
                + " says for the same broker)");

    with("angarium.rabbitmq.addresses", "amqp://relay:hush@b");
    assertThat(faults()).isEmpty();
    with("angarium.rabbitmq.addresses", "a");
    assertThat(faults()).isEmpty();
  }

  @Test
  void anAddressOfOursThatContradictsTheTlsOfConnectionDetailsIsAFault() {
    details(new Details("container", 1234, null));
    with("angarium.rabbitmq.addresses", "amqps://test:test-secret@container:1234");

    assertThat(faults())
        .containsExactly(
            "rabbitmq.addresses: container:1234 with TLS (expected: without TLS, as the bean of"
                + " RabbitConnectionDetails and spring.rabbitmq.ssl say)");
  }

  @Test
  void aHostOfConnectionDetailsMayBeAnAddressOfIpv6() {
    details(new Details("::1", 1234, null));

    assertThat(config().addresses()).isEqualTo("[::1]:1234");
    assertThat(faults()).isEmpty();
  }
}
