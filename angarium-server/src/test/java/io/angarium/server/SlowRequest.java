package io.angarium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;

/** A prepare whose body comes when the test says so, on a connection of its own. */
final class SlowRequest implements AutoCloseable {
  private final Socket socket;

  /**
   * Sends the head.
   *
   * @param headers that of the body's length, and perhaps others
   */
  SlowRequest(ServerUnderTest server, String key, String headers) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
      socket.setSoTimeout(60_000);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    send(
        "PUT /v1/half-messages/order/%s HTTP/1.1\r\nHost: localhost\r\n".formatted(key)
            + "Angarium-Destination: log:orders\r\nContent-Type: text/plain\r\n"
            + "Connection: close\r\n"
            + headers
            + "\r\n\r\n");
  }

  static SlowRequest announcing(ServerUnderTest server, String key, int bytes) {
    return new SlowRequest(server, key, "Content-Length: " + bytes);
  }

  void send(String text) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(US_ASCII));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Likewise, where the server may have closed the connection. */
  void sendQuietly(String text) {
    try {
      send(text);
    } catch (UncheckedIOException answered) {
      // its answer is there to be read
    }
  }

  /** What is answered, up to the end of its JSON. */
  String answer() {
    try {
      StringBuilder answer = new StringBuilder();
      int next = socket.getInputStream().read();
      while (next >= 0 && next != '}') {
        answer.append((char) next);
        next = socket.getInputStream().read();
      }
      return answer.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
