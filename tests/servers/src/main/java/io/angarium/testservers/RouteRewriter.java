package io.angarium.testservers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before a name server of RocketMQ and tells clients another address of the broker: that of
 * the proxy through which they are to go. The broker itself can advertise only the port on which it
 * listens.
 */
final class RouteRewriter implements AutoCloseable {
  private static final int FRAME_BYTES_MAX = 16 * 1024 * 1024;

  private final int nameServerPort;
  private final String own;
  private final String advertised;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private RouteRewriter(int nameServerPort, String own, String advertised, ServerSocket listener) {
    this.nameServerPort = nameServerPort;
    this.own = own;
    this.advertised = advertised;
    this.listener = listener;
    thread("accept", this::accept);
  }

  /**
   * Opens one on a free port.
   *
   * @param own the broker's address as the name server knows it
   * @param advertised the one that clients are told
   */
  static RouteRewriter to(int nameServerPort, String own, String advertised) {
    return FreePort.using(
        1, ports -> new RouteRewriter(nameServerPort, own, advertised, listen(ports.get(0))));
  }

  private static ServerSocket listen(int port) {
    try {
      return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot listen on port " + port, e);
    }
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (true) {
      try {
        Socket client = listener.accept();
        open.add(client);
        thread("connect", () -> connect(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    open.add(server);
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), nameServerPort));
      thread("requests", () -> pump(client, server, false));
      pump(server, client, true);
    } catch (IOException e) {
      end(client, server);
    }
  }

  private void pump(Socket from, Socket to, boolean rewriting) {
    try {
      DataInputStream in = new DataInputStream(from.getInputStream());
      DataOutputStream out = new DataOutputStream(to.getOutputStream());
      while (true) {
        copyFrame(in, out, rewriting);
      }
    } catch (IOException e) {
      end(from, to);
    }
  }

  /** A frame: the length of what follows, the length of the header, the header, the body. */
  private void copyFrame(DataInputStream in, DataOutputStream out, boolean rewriting)
      throws IOException {
    int length = in.readInt();
    if (length < 4 || length > FRAME_BYTES_MAX) {
      throw new IOException("Not a frame of RocketMQ: " + length + " bytes");
    }
    byte[] frame = new byte[length];
    in.readFully(frame);
    byte[] sent = rewriting ? rewritten(frame) : frame;
    out.writeInt(sent.length);
    out.write(sent);
    out.flush();
  }

  /** The addresses stand in the body, so that the length of the header stays right. */
  private byte[] rewritten(byte[] frame) {
    String text = new String(frame, StandardCharsets.ISO_8859_1);
    return text.replace('"' + own + '"', '"' + advertised + '"')
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private void end(Socket... sockets) {
    for (Socket socket : sockets) {
      open.remove(socket);
      close(socket);
    }
  }

  private static void close(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      throw new IllegalStateException("Cannot close " + closeable, e);
    }
  }

  private void thread(String name, Runnable work) {
    Thread thread = new Thread(work, "route-rewriter-" + port() + "-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    close(listener);
    open.forEach(RouteRewriter::close);
  }
}
