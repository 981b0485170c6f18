package io.angarium.server.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.angarium.testservers.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;

  private static InetSocketAddress free() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @BeforeEach
  void serve() throws IOException {
    serve(HttpServer.create(free(), 0));
  }

  /** Ready from the third question on. */
  private void serve(HttpServer created) {
    server = created;
    server.createContext(
        "/actuator/health/readiness",
        exchange -> {
          exchange.sendResponseHeaders(asked.incrementAndGet() < 3 ? 503 : 200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private int probe(String... arguments) {
    return Probe.run(
        List.of(arguments), new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }

  @Test
  void serverThatIsNotReadyIsTold() {
    assertThat(probe(address())).isEqualTo(1);
    assertThat(err.toString(UTF_8))
        .isEqualToIgnoringNewLines(address() + " is not ready: status 503");
    assertThat(asked).hasValue(1);
  }

  @Test
  void itWaitsUntilTheServerIsReady() {
    assertThat(probe("--wait=60", address() + "/")).isZero();
    assertThat(out.toString(UTF_8)).isEqualToIgnoringNewLines(address() + "/ is ready");
    assertThat(asked).hasValue(3);
  }

  /** Its certificate is self-signed; at the second address it is also for another name. */
  @Test
  void serverWithACertificateOfItsOwnIsAsked(@TempDir Path folder) throws IOException {
    stop();
    HttpsServer tls = HttpsServer.create(free(), 0);
    tls.setHttpsConfigurator(new HttpsConfigurator(TestCertificate.in(folder).context()));
    serve(tls);
    String port = ":" + tls.getAddress().getPort();

    assertThat(probe("https://127.0.0.1" + port)).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("is not ready: status 503");
    assertThat(probe("--wait=60", "https://localhost" + port)).as("%s", err).isZero();
    assertThat(asked).hasValue(3);
  }

  @Test
  void pathOfItsOwnIsKept() {
    assertThat(probe(address() + "/manage/readiness")).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("is not ready: status 404");
  }

  @Test
  void serverThatDoesNotListenIsTold() {
    stop();

    assertThat(probe(address())).isEqualTo(1);
    assertThat(err.toString(UTF_8)).contains("is not ready: java.net.ConnectException: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--wait=soon", "--wait=3601", "--wait", "--port=1", "8090", "ftp://a", "http:"})
  void whatIsNotUnderstoodIsNamed(String argument) {
    assertThat(probe(argument)).isEqualTo(2);
    assertThat(err.toString(UTF_8)).startsWith("'" + argument + "' is no ").contains("(expected: ");
  }
}
