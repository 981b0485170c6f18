package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.angarium.testservers.TestCertificate;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks by https, with a certificate that the server signed itself. */
class HttpsHookTest {
  @TempDir private Path folder;
  private final AtomicInteger arrived = new AtomicInteger();
  private TestCertificate certificate;
  private HttpsServer server;

  @BeforeEach
  void startServer() throws Exception {
    certificate = TestCertificate.in(folder);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(certificate.context()));
    server.createContext(
        "/",
        exchange -> {
          arrived.incrementAndGet();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.stop(0);
  }

  private HttpConfig config(String host) {
    String url = "https://" + host + ":" + server.getAddress().getPort() + "/";
    return HttpConfig.of(HttpHook.of("orders", url));
  }

  @Test
  void receiverWhoseCertificateIsTrustedTakesMessages() throws Exception {
    try (HttpTransport transport = HttpTransport.open(config("127.0.0.1"), certificate.context())) {
      assertThat(Messages.result(transport, Messages.to("orders")))
          .isEqualTo(SendResult.ACKNOWLEDGED);
    }
    assertThat(arrived).hasValue(1);
  }

  @Test
  void receiverThatIsNotTrustedIsUnavailableAndGetsNothing() {
    try (HttpTransport transport = HttpTransport.open(config("127.0.0.1"))) {
      assertUnavailable(transport);
    }
  }

  @Test
  void receiverOfAnotherNameIsUnavailableAndGetsNothing() throws Exception {
    try (HttpTransport transport = HttpTransport.open(config("localhost"), certificate.context())) {
      assertUnavailable(transport);
    }
  }

  private void assertUnavailable(HttpTransport transport) {
    assertThat(Messages.result(transport, Messages.to("orders")))
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("hook 'orders' at https://", "cannot be reached: ");
    assertThat(arrived).hasValue(0);
  }
}
