package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.ConfigurationException;
import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestCertificate;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.remoting.netty.TlsSystemConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real servers with TLS, whose certificate nobody trusts who does not know it. The fields of {@link
 * TlsSystemConfig} stand for the system properties that set them.
 */
@OnOneJdk
@RequiresServer(Server.ROCKETMQ)
class RocketTlsTest {
  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static RocketServer server;

  private final Results results = new Results();

  @BeforeAll
  static void start() throws IOException {
    certificate = TestCertificate.in(Files.createDirectory(folder.resolve("server")));
    server =
        RocketServer.start(
            ServerOptions.standard()
                .ownProcess()
                .setting("tls.server.mode", "permissive")
                .setting("tls.test.mode.enable", "false")
                .setting("tls.server.certPath", certificate.certificate().toString())
                .setting("tls.server.keyPath", certificate.privateKey().toString()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void asTheClientHasIt() {
    TlsSystemConfig.tlsTestModeEnable = true;
    TlsSystemConfig.tlsClientAuthServer = false;
    TlsSystemConfig.tlsClientTrustCertPath = null;
  }

  /** As {@code -Dtls.client.trustCertPath} and what belongs to it. */
  private static void trust(Path file) {
    TlsSystemConfig.tlsTestModeEnable = false;
    TlsSystemConfig.tlsClientAuthServer = true;
    TlsSystemConfig.tlsClientTrustCertPath = file.toString();
  }

  private static RocketConfig config(Duration patience) {
    return RocketConfig.of(server.nameServer()).tls(true).sendTimeout(patience).holdMax(patience);
  }

  private SendResult send(RocketConfig config, String topic) {
    try (RocketTransport transport = RocketTransport.open(config)) {
      StoredMessage message = Messages.of(new Destination("rocketmq", topic), "k", "x");
      transport.send(List.of(message), results);
      return results.next().result();
    }
  }

  @Test
  void serversWhoseCertificateIsTrustedTakeMessages() {
    server.createTopic("trusted", 1);
    trust(certificate.certificate());

    assertThat(send(config(Duration.ofSeconds(20)), "trusted")).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  /** That it speaks TLS at all is seen by this. */
  @Test
  void serversThatAreNotTrustedGetNothing() throws IOException {
    server.createTopic("untrusted", 1);
    trust(TestCertificate.in(Files.createDirectory(folder.resolve("other"))).certificate());

    assertThat(send(config(Duration.ofSeconds(2)), "untrusted"))
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("the queues of topic 'untrusted' cannot be had", server.nameServer(), "TLS");
  }

  /** The client would connect without TLS. */
  @Test
  void filesThatCannotBeReadStopTheStart() {
    trust(folder.resolve("no-such-file.pem"));

    assertThatThrownBy(() -> RocketTransport.open(config(Duration.ofSeconds(2))))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("rocketmq.tls: true, but ")
        .hasMessageContaining("no-such-file.pem");
  }
}
