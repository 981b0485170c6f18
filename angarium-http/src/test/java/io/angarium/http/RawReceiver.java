package io.angarium.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A receiver that answers each request, also the question if it is there, byte by byte as told. */
final class RawReceiver implements AutoCloseable {
  private final ServerSocket server;
  private final List<String> posts = new CopyOnWriteArrayList<>();
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final String answer;
  private final boolean closes;

  private RawReceiver(String answer, boolean closes) {
    this.answer = answer;
    this.closes = closes;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::accept);
  }

  /**
   * Keeps connections open.
   *
   * @param answer what it writes; {@code |} stands for the end of a line
   */
  static RawReceiver of(String answer) {
    return new RawReceiver(answer, false);
  }

  /** Closes the connection behind each answer. */
  static RawReceiver closing(String answer) {
    return new RawReceiver(answer, true);
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "raw-receiver");
    thread.setDaemon(true);
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort() + "/";
  }

  /** The heads of all requests but {@code OPTIONS}. */
  List<String> posts() {
    return List.copyOf(posts);
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = server.accept();
        connections.add(connection);
        daemon(() -> serve(connection));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream());
      do {
        String head = head(in);
        if (!head.startsWith("OPTIONS ")) {
          posts.add(head);
        }
        connection.getOutputStream().write(answer.replace("|", "\r\n").getBytes(ISO_8859_1));
      } while (!closes);
    } catch (IOException e) {
      // the client has had enough
    }
  }

  /** Reads a whole request. */
  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed");
      }
      head.write(next);
    }
    String text = head.toString(ISO_8859_1);
    for (String line : text.toLowerCase(Locale.ROOT).lines().toList()) {
      if (line.startsWith("content-length:")) {
        in.readNBytes(Integer.parseInt(line.substring(15).strip()));
      }
    }
    return text;
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket connection : connections) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
