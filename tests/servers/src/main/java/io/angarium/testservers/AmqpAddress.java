package io.angarium.testservers;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Where an AMQP server is, and who may enter.
 *
 * @param uri as clients take it: {@code amqp://user:password@host:port/virtual-host}
 */
record AmqpAddress(String uri, String host, int port, Login login) {
  private static final int USUAL_PORT = 5672;

  /** A server of the tests' own. Without a slash at its end, or the virtual host would be "". */
  static AmqpAddress ofGuest(int port) {
    return parse("amqp://guest:guest@127.0.0.1:" + port);
  }

  static AmqpAddress parse(String text) {
    URI uri = URI.create(text);
    if (!"amqp".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "%s: %s (expected: amqp://<user>:<password>@<host>:<port>/<virtual host>)"
              .formatted(Server.RABBITMQ.variable(), text.replaceFirst("//.*@", "//...@")));
    }
    int port = uri.getPort() < 0 ? USUAL_PORT : uri.getPort();
    return new AmqpAddress(text, uri.getHost(), port, login(uri));
  }

  private static Login login(URI uri) {
    String userInfo = Optional.ofNullable(uri.getRawUserInfo()).orElse("guest:guest");
    int colon = userInfo.indexOf(':');
    return colon < 0
        ? new Login(decoded(userInfo), "")
        : new Login(decoded(userInfo.substring(0, colon)), decoded(userInfo.substring(colon + 1)));
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  String user() {
    return login.user();
  }

  String password() {
    return login.password();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "AmqpAddress[" + host + ":" + port + "]";
  }
}
