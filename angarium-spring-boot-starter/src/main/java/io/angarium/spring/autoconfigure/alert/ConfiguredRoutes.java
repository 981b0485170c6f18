package io.angarium.spring.autoconfigure.alert;

import io.angarium.alert.AlertRoute;
import java.util.List;

/** The channels that properties describe, which are closed with the application. Immutable. */
record ConfiguredRoutes(List<AlertRoute> routes) implements AutoCloseable {
  ConfiguredRoutes {
    routes = List.copyOf(routes);
  }

  @Override
  public void close() {
    routes.forEach(route -> route.channel().close());
  }
}
