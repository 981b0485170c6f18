package io.angarium.testservers;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Orders to a Redis by its inline protocol, one connection each, without a client. */
final class RedisOrders {
  private static final int LIMIT_MILLIS = 60_000;
  private static final int ANSWER_BYTES_MAX = 1 << 20;

  private RedisOrders() {}

  /**
   * Gives an order and returns the answer's text.
   *
   * @param order words without spaces in them
   * @throws IOException when nobody answers, something that is no Redis, or with an error
   */
  static String send(RedisAddress address, String order) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address.host(), address.port()), LIMIT_MILLIS);
      socket.setSoTimeout(LIMIT_MILLIS);
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      Optional<String> login = address.greeting();
      if (login.isPresent()) {
        write(socket.getOutputStream(), login.get());
        answer(in);
      }
      write(socket.getOutputStream(), order);
      return answer(in);
    }
  }

  /** The version that the server states; one that still loads its data does not. */
  static String version(RedisAddress address) throws IOException {
    send(address, "PING");
    return send(address, "INFO server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1))
        .orElseThrow(() -> new IOException("The answer is not that of a Redis"));
  }

  private static void write(OutputStream out, String order) throws IOException {
    out.write((order + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String answer(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    String line = line(in);
    return switch (type) {
      case '+', ':' -> line;
      case '$' -> bulk(in, line);
      default -> throw new IOException("The answer of Redis is " + (char) type + line);
    };
  }

  private static String line(DataInputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.readUnsignedByte(); next != '\r'; next = in.readUnsignedByte()) {
      line.append((char) next);
      if (line.length() > ANSWER_BYTES_MAX) {
        throw new IOException("The answer is not that of a Redis");
      }
    }
    in.skipNBytes(1);
    return line.toString();
  }

  private static String bulk(DataInputStream in, String length) throws IOException {
    int bytes = Integer.parseInt(length);
    if (bytes < 0 || bytes > ANSWER_BYTES_MAX) {
      throw new IOException("The answer of Redis has " + bytes + " bytes");
    }
    return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
  }
}
