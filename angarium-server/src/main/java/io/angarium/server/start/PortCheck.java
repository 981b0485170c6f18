package io.angarium.server.start;

import io.angarium.server.settings.ServerProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Looks at every port that the server will listen at before anything is started: neither tables are
 * created nor messages sent by a server that cannot be called. Thread-safe.
 */
public final class PortCheck
    implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
  private static final int PORT_MAX = 65_535;

  /** Where something will listen; what is wrong with any of these is told by its own check. */
  private record Place(String property, @Nullable String host, int port) {}

  @Override
  public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
    Map<Integer, String> owners = new HashMap<>();
    List<ServerSocket> open = new ArrayList<>();
    try {
      for (Place place : places(event.getEnvironment())) {
        if (place.port() > 0 && place.port() <= PORT_MAX) {
          check(place, owners.get(place.port()), open);
          owners.put(place.port(), place.property());
        }
      }
    } finally {
      open.forEach(PortCheck::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** After the configuration has been read, and the log was set up. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE;
  }

  private static List<Place> places(Environment environment) {
    List<Place> places = new ArrayList<>();
    try {
      Binder binder = Binder.get(environment);
      String address = environment.getProperty("server.address");
      int port = binder.bind("server.port", Integer.class).orElse(8080);
      places.add(new Place("server.port", address, port));
      int management = binder.bind("management.server.port", Integer.class).orElse(port);
      if (management != port) {
        String own = environment.getProperty("management.server.address");
        places.add(new Place("management.server.port", own == null ? address : own, management));
      }
      ServerProperties properties =
          binder.bindOrCreate(ServerProperties.PREFIX, ServerProperties.class);
      if (properties.grpc().enabled()) {
        places.add(
            new Place(
                ServerProperties.PREFIX + ".grpc.port",
                properties.grpc().host(),
                properties.grpc().port()));
      }
      if (properties.dubbo().enabled()) {
        places.add(
            new Place(
                ServerProperties.PREFIX + ".dubbo.port",
                properties.dubbo().host(),
                properties.dubbo().port()));
      }
    } catch (BindException e) {
      return places; // the start lists it with all other faults
    }
    return places;
  }

  /**
   * Leaves the port open, so that the next place cannot have it, too.
   *
   * @param owner the property of another place with this port; null if there is none
   */
  private static void check(Place place, @Nullable String owner, List<ServerSocket> open) {
    try {
      ServerSocket socket = new ServerSocket();
      open.add(socket);
      socket.setReuseAddress(true);
      socket.bind(address(place));
    } catch (UnknownHostException e) {
      return; // who listens there says so
    } catch (IOException e) {
      throw new FailureAnalyzedException(
          "Port %d%s cannot be used: %s."
              .formatted(
                  place.port(),
                  place.host() == null ? "" : " of " + place.host(),
                  owner == null ? e.getMessage() : owner + " has it"),
          "%s another port: --%s=%d"
              .formatted(
                  owner == null ? "Stop the program that has it, or choose" : "Choose",
                  place.property(),
                  place.port() == PORT_MAX ? PORT_MAX - 1 : place.port() + 1),
          e);
    }
  }

  private static InetSocketAddress address(Place place) throws UnknownHostException {
    return place.host() == null || place.host().isBlank()
        ? new InetSocketAddress(place.port())
        : new InetSocketAddress(InetAddress.getByName(place.host()), place.port());
  }
}
