package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import org.springframework.core.env.Environment;

/** Checks where the metrics are served, so that they are not open to everybody. */
public final class MeasuringFaults {
  private static final String BASE_PATH = "management.endpoints.web.base-path";
  private static final String PORT = "management.server.port";
  private static final String ADDRESS = "management.server.address";
  private static final String SAME = "none";

  private MeasuringFaults() {}

  /** Under which path Spring Boot's Actuator is. */
  public static String basePath(Environment environment) {
    return environment.getProperty(BASE_PATH, "/actuator");
  }

  /** Whether Spring Boot's Actuator is at the port of the calls. */
  public static boolean isAtServerPort(Environment environment) {
    String port = environment.getProperty(PORT, SAME);
    return port.equals(SAME)
        || port.isBlank()
        || (!port.equals("0") && port.equals(environment.getProperty("server.port", "8080")));
  }

  static void gather(Environment environment, ConfigFaults faults) {
    String base = basePath(environment);
    faults.require(
        base.matches("(/[A-Za-z0-9_-]+)+"), BASE_PATH, base, "a path of its own, e.g. /actuator");
    String port = environment.getProperty(PORT, SAME);
    boolean own = !port.equals(SAME) && !port.equals("-1") && !port.isBlank();
    faults.require(
        !own || Openness.isLoopback(environment.getProperty(ADDRESS)),
        PORT,
        port,
        "none, as API keys are asked for at server.port alone; or " + ADDRESS + "=127.0.0.1");
  }
}
