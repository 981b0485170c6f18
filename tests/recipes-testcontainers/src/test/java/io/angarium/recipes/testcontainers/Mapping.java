package io.angarium.recipes.testcontainers;

import io.angarium.testservers.TestServer;
import org.jspecify.annotations.Nullable;

/** The server behind a container, from its start to its end. Not thread-safe. */
final class Mapping {
  private @Nullable TestServer server;

  void to(TestServer started) {
    server = started;
  }

  void end() {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  boolean exists() {
    return server != null;
  }

  String host() {
    return started().host();
  }

  int port() {
    return started().port();
  }

  private TestServer started() {
    if (server == null) {
      throw new IllegalStateException("The container has not been started");
    }
    return server;
  }
}
