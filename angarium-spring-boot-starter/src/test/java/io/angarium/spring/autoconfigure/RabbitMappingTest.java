package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.rabbitmq.RabbitConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Which of several places counts where the broker's account is told more than once. */
class RabbitMappingTest {
  private final Map<String, Object> properties = new HashMap<>(Map.of("angarium.enabled", "true"));
  private final StandardEnvironment environment = new StandardEnvironment();

  @BeforeEach
  void take() {
    environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
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
    return RabbitMapping.rabbit(given(), BrokerDefaults.of(environment));
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
    for (Runnable check : RabbitMapping.checks(given(), BrokerDefaults.of(environment))) {
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
    assertThat(RabbitMapping.checks(given(), BrokerDefaults.of(environment)).get(0))
        .satisfies(
            check ->
                assertThatThrownBy(check::run)
                    .hasMessageContaining("rabbitmq.addresses: not of the form"));
  }
}
