package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KnockTest {
  private final InetAddress loopback = InetAddress.getLoopbackAddress();

  private final List<Socket> bound = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket socket : bound) {
      socket.close();
    }
  }

  /** Bound and never listening, so that nobody else gets it. */
  private InetSocketAddress deadAddress() throws IOException {
    Socket socket = new Socket();
    bound.add(socket);
    socket.bind(new InetSocketAddress(loopback, 0));
    return new InetSocketAddress(loopback, socket.getLocalPort());
  }

  /** A headless service resolves to the addresses of all its pods. */
  @Test
  void anyAddressOfAHostWillDo() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      InetSocketAddress live = new InetSocketAddress(loopback, server.getLocalPort());

      assertThat(Knock.opens(List.of(deadAddress(), live))).isTrue();
    }
  }

  @Test
  void hostThatTakesNoConnectionAtAnyAddressOpensNot() throws Exception {
    assertThat(Knock.opens(List.of(deadAddress(), deadAddress()))).isFalse();
    assertThat(Knock.opens(List.of())).isFalse();
  }

  @Test
  void serversTakeTurns() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
      String dead = "localhost:" + deadAddress().getPort();
      Knock knock = new Knock(dead + ", " + "localhost:" + server.getLocalPort());

      assertThat(knock.isOpened()).isFalse();
      assertThat(knock.isOpened()).isTrue();
    }
  }
}
