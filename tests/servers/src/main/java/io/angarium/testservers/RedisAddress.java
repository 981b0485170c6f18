package io.angarium.testservers;

import java.net.URI;
import java.util.Optional;

/**
 * Where a Redis is, and who may enter.
 *
 * @param uri as clients take it: {@code redis://user:password@host:port/database}
 * @param userInfo user and password as the URI has them; empty without a login
 */
record RedisAddress(String uri, String host, int port, Optional<String> userInfo) {
  private static final int USUAL_PORT = 6379;

  static RedisAddress ofLoopback(int port) {
    return parse("redis://127.0.0.1:" + port);
  }

  static RedisAddress parse(String text) {
    URI uri = URI.create(text);
    if (!"redis".equals(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "%s: %s (expected: redis://<user>:<password>@<host>:<port>/<database>)"
              .formatted(Server.REDIS.variable(), text.replaceFirst("//.*@", "//...@")));
    }
    int port = uri.getPort() < 0 ? USUAL_PORT : uri.getPort();
    return new RedisAddress(text, uri.getHost(), port, Optional.ofNullable(uri.getUserInfo()));
  }

  /** The same server through a proxy of 127.0.0.1. */
  RedisAddress through(FaultProxy proxy) {
    return ofLoopback(proxy.port());
  }

  /** The words with which a client logs in; none without a login. */
  Optional<String> greeting() {
    return userInfo.map(info -> "AUTH " + info.replaceFirst("^:", "").replaceFirst(":", " "));
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "RedisAddress[" + host + ":" + port + "]";
  }
}
