package io.angarium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.TestCertificate;
import io.angarium.testservers.Thorough;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bounds of connections, where they are encrypted. */
class ServerTlsConnectionsTest {
  /** The beginning of a handshake: a record of 16 KiB. */
  private static final byte[] HANDSHAKE = {22, 3, 1, 64, 0, 1, 0, 63, (byte) 252, 3, 3};

  @TempDir private Path folder;
  private final List<Socket> open = new ArrayList<>();
  private TestCertificate certificate;

  @BeforeEach
  void certify() throws IOException {
    certificate = TestCertificate.in(Files.createDirectory(folder.resolve("tls")));
  }

  @AfterEach
  void close() throws IOException {
    for (Socket each : open) {
      each.close();
    }
  }

  private ServerProcess server(String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--spring.datasource.url=jdbc:h2:mem:tls",
                "--angarium.relay.enabled=false",
                "--server.ssl.certificate=" + certificate.certificate(),
                "--server.ssl.certificate-private-key=" + certificate.privateKey()));
    options.addAll(List.of(more));
    return new ServerProcess(folder, List.of("-Xmx512m"), options);
  }

  private Socket connected(URI address) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
    open.add(socket);
    return socket;
  }

  @Test
  void handshakesThatTrickleCountAsConnectionsAndAreCutOff() throws Exception {
    try (ServerProcess server =
        server("--server.tomcat.max-connections=4", "--server.tomcat.connection-timeout=10s")) {
      URI address = URI.create(server.address());
      for (int i = 0; i < 4; i++) {
        connected(address).getOutputStream().write(HANDSHAKE);
      }

      for (Socket each : open) {
        trickleUntilClosed(each);
      }

      assertThat(prepared(address, certificate.context())).isEqualTo(200);
    }
  }

  private static void trickleUntilClosed(Socket socket) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    try {
      OutputStream out = socket.getOutputStream();
      while (System.nanoTime() - deadline < 0) {
        out.write(1);
        LockSupport.parkNanos(50_000_000);
      }
    } catch (IOException closed) {
      return;
    }
    throw new AssertionError("It is read for as long as it trickles");
  }

  /** As many heads as there may be connections, and handshakes that wait for a place. */
  @Test
  @Thorough
  void serverOfHalfAGigabyteOutlivesAllItsConnectionsAtOnce() throws Exception {
    try (ServerProcess server = server("--server.tomcat.connection-timeout=1m")) {
      URI address = URI.create(server.address());
      SSLContext tls = certificate.context();
      byte[] head = ("GET / HTTP/1.1\r\nX: " + "x".repeat(60_000)).getBytes(US_ASCII);
      for (int i = 0; i < 900; i++) {
        Socket plain = connected(address);
        Socket socket =
            tls.getSocketFactory().createSocket(plain, "127.0.0.1", address.getPort(), true);
        open.add(socket);
        socket.getOutputStream().write(head);
      }
      for (int i = 0; i < 1_000; i++) {
        Socket half = new Socket();
        open.add(half);
        try {
          half.connect(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()), 1_000);
          half.getOutputStream().write(HANDSHAKE);
        } catch (IOException full) {
          break; // the operating system takes no more
        }
      }

      close();

      assertThat(prepared(address, tls)).isEqualTo(200);
      assertThat(server.output()).doesNotContain("OutOfMemoryError");
    }
  }

  private static int prepared(URI address, SSLContext tls) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:" + address.getPort() + "/v1/half-messages/order/1"))
            .timeout(Duration.ofMinutes(1))
            .header("Angarium-Destination", "log:orders")
            .PUT(BodyPublishers.ofString("paid"))
            .build();
    return HttpClient.newBuilder()
        .sslContext(tls)
        .build()
        .send(request, BodyHandlers.discarding())
        .statusCode();
  }
}
