package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitConfigTest {
  @Test
  void listsAllFaultsAtOnce() {
    assertThatThrownBy(
            () ->
                new RabbitConfig(
                    "nowhere",
                    " ",
                    "",
                    "",
                    false,
                    Path.of("no-such-file.pem"),
                    null,
                    "",
                    0,
                    1,
                    Duration.ZERO,
                    Duration.ofHours(1),
                    Duration.ZERO,
                    Duration.ZERO))
        .asInstanceOf(type(ConfigurationException.class))
        .satisfies(
            e ->
                assertThat(e.faults())
                    .hasSize(12)
                    .contains("rabbitmq.addresses: 'nowhere' (expected: host:port)")
                    .contains(
                        "rabbitmq.trusted-certificates: no-such-file.pem (expected: none without"
                            + " rabbitmq.tls)")
                    .anyMatch(
                        f ->
                            f.startsWith(
                                "rabbitmq.trusted-certificates: no-such-file.pem (expected: a file"
                                    + " of PEM"))
                    .contains("rabbitmq.channels: 0 (expected: 1..32)"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a|a:5672|guest|guest|/|false",
        "a:1,b:2|a:1,b:2|guest|guest|/|false",
        "amqp://a|a:5672|guest|guest|/|false",
        "amqps://a|a:5671|guest|guest|/|true",
        "amqp://u:p%40w+1@a:1,b:2/shop|a:1,b:2|u|p@w+1|shop|false",
        "amqp://u:p@a:1/%2f|a:1|u|p|/|false",
        "amqp://[::1]:7/x|[::1]:7|guest|guest|x|false",
      })
  void readsTheTextForm(
      String uri, String addresses, String user, String password, String host, boolean tls) {
    RabbitConfig config = RabbitConfig.of(uri);

    assertThat(config.addresses()).isEqualTo(addresses);
    assertThat(config.username()).isEqualTo(user);
    assertThat(config.password()).isEqualTo(password);
    assertThat(config.virtualHost()).isEqualTo(host);
    assertThat(config.tls()).isEqualTo(tls);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "http://a:1",
        "amqp://u:p@a:0",
        "a:65536",
        "a:1,",
        "amqp://a:1/b/c",
        "amqp://u:p%zz@a:1"
      })
  void doesNotTakeOtherForms(String uri) {
    assertThatThrownBy(() -> RabbitConfig.of(uri))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("rabbitmq.addresses: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a|a:5671|u|p|shop|true",
        "amqp://a|a:5672|u|p|shop|false",
        "amqp://v@a:1|a:1|v|p|shop|false",
        "amqps://v:q@a/x|a:5671|v|q|x|true",
      })
  void anotherUriChangesWhatItNames(
      String uri, String addresses, String user, String password, String host, boolean tls) {
    RabbitConfig config = RabbitConfig.of("amqps://u:p@elsewhere/shop").window(7).uri(uri);

    assertThat(config)
        .isEqualTo(
            RabbitConfig.of("a")
                .addresses(addresses)
                .username(user)
                .password(password)
                .virtualHost(host)
                .tls(tls)
                .window(7));
    assertThat(config.password()).isEqualTo(password);
  }

  @Test
  void aFileWithoutCertificatesIsAFault(@TempDir Path folder) throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.pem"));

    assertThatThrownBy(() -> RabbitConfig.of("amqps://a").trusting(empty))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("rabbitmq.trusted-certificates: " + empty);
  }

  @Test
  void thePasswordIsInNoText() {
    RabbitConfig config = RabbitConfig.of("amqp://u:top-secret@a:1");

    assertThat(config.toString()).doesNotContain("top-secret").contains("addresses=a:1");
    assertThat(RabbitUri.parse("amqp://u:top-secret@a:1").toString()).doesNotContain("top-secret");
    assertThatThrownBy(() -> RabbitConfig.of("amqp://u:top-secret@@a:1"))
        .message()
        .doesNotContain("top-secret");
    assertThatThrownBy(() -> RabbitConfig.of("amqp://u:top/secret@a:1"))
        .message()
        .doesNotContain("top");
    assertThatThrownBy(() -> RabbitConfig.of("a:1").addresses("amqp://u:top-secret@a:1"))
        .message()
        .doesNotContain("top-secret");
  }

  @Test
  void copiesDifferInOnePart() {
    RabbitConfig config = RabbitConfig.of("a:1").window(7).channels(3).tls(true);

    assertThat(config.window()).isEqualTo(7);
    assertThat(config.channels()).isEqualTo(3);
    assertThat(config.heartbeat(Duration.ofSeconds(9)).heartbeat())
        .isEqualTo(Duration.ofSeconds(9));
    assertThat(config.clientName("x")).isNotEqualTo(config);
    assertThat(config.clientName("angarium")).isEqualTo(config);
  }
}
