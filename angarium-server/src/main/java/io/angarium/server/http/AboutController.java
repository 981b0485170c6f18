package io.angarium.server.http;

import io.angarium.jdbc.JdbcDatabase;
import io.angarium.server.faults.MeasuringFaults;
import io.angarium.server.settings.ServerProperties;
import io.angarium.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * What the server runs with, for its page. Anybody may see it, so it names kinds and no addresses.
 * Thread-safe.
 */
@RestController
class AboutController {
  private final About about;

  /**
   * What is shown. Immutable.
   *
   * @param version of the server; "development" where it does not run from its jar
   * @param database the database's name as its makers write it
   * @param destinations what destinations of messages begin with, e.g. {@code kafka}
   * @param waysIn how producers call, besides HTTP
   * @param keys whether callers are asked who they are
   * @param actuator where health and metrics are below the server's own address, e.g. {@code
   *     actuator}; empty if they are at another port, or off
   */
  record About(
      String version,
      String database,
      List<String> destinations,
      List<String> waysIn,
      boolean keys,
      String actuator) {}

  AboutController(
      JdbcDatabase database,
      ObjectProvider<Transport> transports,
      ServerProperties properties,
      Environment environment) {
    String version = AboutController.class.getPackage().getImplementationVersion();
    this.about =
        new About(
            version == null ? "development" : version,
            database.product(),
            transports.stream().map(Transport::name).sorted().toList(),
            waysIn(properties),
            properties.asksWho(),
            MeasuringFaults.isAtServerPort(environment)
                ? MeasuringFaults.basePath(environment).substring(1)
                : "");
  }

  private static List<String> waysIn(ServerProperties properties) {
    List<String> ways = new ArrayList<>();
    if (properties.grpc().enabled()) {
      ways.add("gRPC");
    }
    if (properties.dubbo().enabled()) {
      ways.add("Dubbo");
    }
    if (properties.kafkaIntake().isWanted()) {
      ways.add("Kafka");
    }
    if (properties.dtm().enabled()) {
      ways.add("dtm");
    }
    return ways;
  }

  @GetMapping("/about.json")
  About about() {
    return about;
  }
}
