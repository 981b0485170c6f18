package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** That a greeting is understood is shown by every start of RabbitMQ. */
class AmqpGreetingTest {
  @Test
  void takesNoOtherServerForRabbitMq() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answer =
          CompletableFuture.runAsync(() -> answer(other, "HTTP/1.1 400 Bad Request\r\n\r\n"));

      assertThatThrownBy(() -> AmqpGreeting.version("127.0.0.1", other.getLocalPort()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("AMQP");
      answer.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void takesNoServerThatAnswersOnlyAPart() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answer =
          CompletableFuture.runAsync(() -> answer(other, "\u0001\0\0"));

      assertThatThrownBy(() -> AmqpGreeting.version("127.0.0.1", other.getLocalPort()))
          .isInstanceOf(IOException.class);
      answer.get(30, TimeUnit.SECONDS);
    }
  }

  /** Closes after the client's words have been read, so that its answer is not reset away. */
  private static void answer(ServerSocket server, String text) {
    try (Socket client = server.accept()) {
      client.getInputStream().readNBytes(8);
      client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
