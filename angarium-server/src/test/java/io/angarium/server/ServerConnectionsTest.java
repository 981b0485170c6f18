package io.angarium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More connections than the server takes, with requests that do not end. */
class ServerConnectionsTest {
  /** As many as filled the heap when there were 8 192 connections. */
  private static final int CONNECTIONS = 4_600;

  private static final int BODY_BYTES = 8 << 20;
  private static final String HEAD =
      String.join(
          "\r\n",
          "PUT /v1/half-messages/order/%s HTTP/1.1",
          "Host: localhost",
          "Authorization: Bearer %s",
          "Angarium-Destination: log:orders",
          "Content-Length: %d",
          "",
          "");

  @Test
  void serverOfHalfAGigabyteOutlivesAllItsLimitsAtOnce(@TempDir Path folder) throws Exception {
    List<String> options = new ArrayList<>(List.of("--server.port=0"));
    for (String key : List.of("one", "two", "three")) {
      String name = "--angarium.server.api-keys." + key;
      options.add(name + ".hashes=" + ServerUnderTest.hash(key));
      options.add(name + ".businesses=*");
      options.add(name + ".destinations=*");
    }
    List<SocketChannel> open = new ArrayList<>();
    try (ServerProcess server = new ServerProcess(folder, List.of("-Xmx512m"), options)) {
      URI address = URI.create(server.address());
      try {
        for (int i = 0; i < 8; i++) { // the memory of bodies, but for a byte each
          open.add(unfinishedBody(address.getPort(), i));
        }
        for (int i = 0; i < CONNECTIONS; i++) {
          open.add(unfinishedHead(address.getPort()));
        }
      } finally {
        for (SocketChannel each : open) {
          each.close();
        }
      }

      assertThat(prepared(address)).isEqualTo(200);
      assertThat(server.output()).doesNotContain("OutOfMemoryError");
    }
  }

  private static SocketChannel unfinishedBody(int port, int number) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    String head = HEAD.formatted("b" + number, number % 2 == 0 ? "one" : "two", BODY_BYTES);
    write(channel, head.getBytes(US_ASCII));
    write(channel, new byte[BODY_BYTES - 1]);
    return channel;
  }

  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /** Beyond those that are accepted, connections wait in the operating system. */
  private static SocketChannel unfinishedHead(int port) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.configureBlocking(false);
    if (channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        || channel.finishConnect()) {
      channel.write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: localhost\r\nX: ".getBytes(US_ASCII)));
    }
    return channel;
  }

  private static int prepared(URI address) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(address.resolve("/v1/half-messages/order/after"))
            .timeout(Duration.ofMinutes(1))
            .header("Authorization", "Bearer three")
            .header("Angarium-Destination", "log:orders")
            .PUT(BodyPublishers.ofString("paid"))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void headsThatTrickleAreCutOffAndOthersAnswered() throws Exception {
    List<Socket> open = new ArrayList<>();
    try (ServerUnderTest server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "server.tomcat.max-connections=4",
            "server.tomcat.connection-timeout=5s")) {
      for (int i = 0; i < 4; i++) {
        open.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
      }

      for (Socket each : open) {
        trickleUntilClosed(each);
      }

      assertThat(server.send(server.request("/actuator/health")).statusCode()).isEqualTo(200);
    } finally {
      for (Socket each : open) {
        each.close();
      }
    }
  }

  private static void trickleUntilClosed(Socket socket) {
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    try {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nX: ".getBytes(US_ASCII));
      while (System.nanoTime() - deadline < 0) {
        socket.getOutputStream().write('x');
        LockSupport.parkNanos(50_000_000);
      }
    } catch (IOException closed) {
      return;
    }
    throw new AssertionError("It is read for as long as it trickles");
  }
}
