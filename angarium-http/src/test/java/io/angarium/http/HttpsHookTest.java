package io.angarium.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hooks by https, with a certificate that the server signed itself. */
class HttpsHookTest {
  private static final String PASSWORD = "only-for-this-test";

  @TempDir private Path folder;
  private final AtomicInteger arrived = new AtomicInteger();
  private KeyStore keys;
  private HttpsServer server;

  @BeforeEach
  void startServer() throws Exception {
    keys = keys();
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context()));
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

  private KeyStore keys() throws Exception {
    Path file = folder.resolve("keys.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-alias",
            "hook",
            "-dname",
            "CN=hook",
            "-ext",
            "SAN=ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString());
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(keytool.exitValue()).as(output).isZero();
    KeyStore loaded = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      loaded.load(in, PASSWORD.toCharArray());
    }
    return loaded;
  }

  /** For the server and for those who trust it. */
  private SSLContext context() throws Exception {
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD.toCharArray());
    KeyStore others = KeyStore.getInstance("PKCS12");
    others.load(null, null);
    others.setCertificateEntry("hook", keys.getCertificate("hook"));
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(others);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private HttpConfig config(String host) {
    String url = "https://" + host + ":" + server.getAddress().getPort() + "/";
    return HttpConfig.of(HttpHook.of("orders", url));
  }

  @Test
  void receiverWhoseCertificateIsTrustedTakesMessages() throws Exception {
    try (HttpTransport transport = HttpTransport.open(config("127.0.0.1"), context())) {
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
    try (HttpTransport transport = HttpTransport.open(config("localhost"), context())) {
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
