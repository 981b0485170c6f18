package io.angarium.testservers;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The first words between a client and an AMQP 0-9-1 server, before any login. */
final class AmqpGreeting {
  private static final byte[] PROTOCOL_HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
  private static final int METHOD_FRAME = 1;
  private static final int CONNECTION_START = (10 << 16) | 10;
  private static final int PROPERTIES_BYTES_MAX = 64 * 1024;
  private static final int LIMIT_MILLIS = 5_000;

  private AmqpGreeting() {}

  /**
   * Connects as a client does, and returns the version that the server states.
   *
   * @throws IOException when nobody answers, or something that is no AMQP 0-9-1 server
   */
  static String version(String host, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      socket.getOutputStream().write(PROTOCOL_HEADER);
      return version(serverProperties(new BufferedInputStream(socket.getInputStream())));
    }
  }

  private static DataInputStream serverProperties(BufferedInputStream answer) throws IOException {
    DataInputStream frame = new DataInputStream(answer);
    int type = frame.readUnsignedByte();
    int channel = frame.readUnsignedShort();
    int bytes = frame.readInt();
    int method = frame.readInt();
    frame.skipNBytes(2); // the version of the protocol
    int length = frame.readInt();
    boolean start = type == METHOD_FRAME && channel == 0 && method == CONNECTION_START;
    if (!start || length < 0 || length > bytes || length > PROPERTIES_BYTES_MAX) {
      throw new IOException("The answer is not that of an AMQP 0-9-1 server");
    }
    return new DataInputStream(new ByteArrayInputStream(frame.readNBytes(length)));
  }

  private static String version(DataInputStream properties) throws IOException {
    while (true) {
      String name = text(properties, properties.readUnsignedByte());
      int type = properties.readUnsignedByte();
      if (type == 't') {
        properties.skipNBytes(1);
      } else if (name.equals("version")) {
        return text(properties, properties.readInt());
      } else {
        properties.skipNBytes(properties.readInt()); // a text or a table
      }
    }
  }

  private static String text(DataInputStream in, int length) throws IOException {
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }
}
