package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.Origin;
import io.angarium.testservers.RabbitServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestCertificate;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker with TLS, whose certificate is for 127.0.0.1 and of no issuer that is known. */
@OnOneJdk
@RequiresServer(
    value = Server.RABBITMQ,
    from = {Origin.INSTALLED, Origin.PACKAGE})
class RabbitTlsTest {
  private static final String QUEUE = "tls";

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static int port;
  private static RabbitServer server;
  private static Connection checking;
  private static Channel channel;

  private final Results results = new Results();

  @BeforeAll
  static void start() throws Exception {
    certificate = TestCertificate.in(folder);
    port = FreePort.find();
    server =
        RabbitServer.start(
            ServerOptions.standard()
                .from(Origin.INSTALLED, Origin.PACKAGE)
                .setting("listeners.ssl.default", "127.0.0.1:" + port)
                .setting("ssl_options.certfile", certificate.certificate().toString())
                .setting("ssl_options.keyfile", certificate.privateKey().toString()));
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(server.uri());
    factory.setHandshakeTimeout(TestBroker.HANDSHAKE_MILLIS_MAX);
    checking = factory.newConnection("checking");
    channel = checking.createChannel();
  }

  @AfterAll
  static void stop() throws IOException {
    checking.close();
    server.close();
  }

  @BeforeEach
  void declare() throws IOException {
    channel.queueDeclare(QUEUE, true, false, false, null);
    channel.queuePurge(QUEUE);
  }

  private static RabbitConfig config(String host) {
    return RabbitConfig.of("amqps://guest:guest@" + host + ":" + port)
        .confirmTimeout(Duration.ofSeconds(30))
        .holdMax(Duration.ofSeconds(30))
        .connectTimeout(Duration.ofSeconds(30));
  }

  private SendResult send(RabbitTransport transport) {
    StoredMessage message = Messages.of(new Destination("rabbitmq", "/" + QUEUE), "k", "x");
    transport.send(List.of(message), results);
    results.next();
    return results.of(message);
  }

  private SendResult send(RabbitConfig config) {
    try (RabbitTransport transport = RabbitTransport.open(config)) {
      return send(transport);
    }
  }

  private static void assertNothingSent(SendResult result, String... words) throws IOException {
    assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("TLS with RabbitMQ at ", ":" + port + " failed: ")
        .contains(words);
    assertThat(channel.messageCount(QUEUE)).isZero();
  }

  @Test
  void brokerWhoseCertificateIsTrustedTakesMessages() throws IOException {
    RabbitConfig config = config("127.0.0.1").trusting(certificate.certificate());

    assertThat(send(config)).isEqualTo(SendResult.ACKNOWLEDGED);

    assertThat(channel.messageCount(QUEUE)).isEqualTo(1);
  }

  @Test
  void brokerThatIsNotTrustedGetsNothing() throws IOException {
    assertNothingSent(send(config("127.0.0.1")), "PKIX path building failed");
  }

  @Test
  void brokerOfAnotherNameGetsNothing() throws IOException {
    assertNothingSent(
        send(config("localhost").trusting(certificate.certificate())), "matching localhost");
  }

  /** For those who show a certificate of their own, say. */
  @Test
  void ofAContextOfOnesOwnTheNameIsCheckedAsWell() throws IOException {
    try (RabbitTransport transport =
        RabbitTransport.open(
            config("localhost"), factory -> factory.useSslProtocol(certificate.context()))) {
      assertNothingSent(send(transport), "matching localhost");
    }
    try (RabbitTransport transport =
        RabbitTransport.open(
            config("127.0.0.1"), factory -> factory.useSslProtocol(certificate.context()))) {
      assertThat(send(transport)).isEqualTo(SendResult.ACKNOWLEDGED);
      assertThat(channel.messageCount(QUEUE)).isEqualTo(1);
    }
  }

  @Test
  void portWithoutTlsIsNamed() {
    int plain = server.port();
    SendResult result = send(config("127.0.0.1").addresses("127.0.0.1:" + plain));

    assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("TLS with RabbitMQ at 127.0.0.1:" + plain + " failed: ");
  }
}
