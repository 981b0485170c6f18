package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.ConfigurationException;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;

/** Says what an application can do whose relay has nothing to send with. */
public final class MissingTransports {
  private final List<String> modules = new ArrayList<>();
  private final List<String> settings = new ArrayList<>();

  private MissingTransports() {}

  /** The exception that lists the modules to add and the switches to turn. */
  public static ConfigurationException fault(Surroundings around, AngariumProperties.Http http) {
    MissingTransports missing = new MissingTransports();
    missing.add(around.haveKafka(), "angarium-kafka", "angarium.kafka.enabled=true");
    missing.add(around.haveRabbit(), "angarium-rabbitmq", "angarium.rabbitmq.enabled=true");
    missing.add(around.haveRocket(), "angarium-rocketmq", "angarium.rocketmq.enabled=true");
    missing.add(around.haveHttp(), "angarium-http", setting(http));
    return new ConfigurationException(List.of(missing.text()));
  }

  /** Hooks that are there send nothing while the transport is off. */
  private static String setting(AngariumProperties.Http http) {
    boolean hasTargets = !http.hooks().isEmpty() || !http.allowedHosts().isEmpty();
    return hasTargets && !http.enabled()
        ? "angarium.http.enabled=true"
        : "angarium.http.hooks.<name>.url";
  }

  private void add(boolean isThere, String module, String setting) {
    if (isThere) {
      settings.add(setting);
    } else {
      modules.add(module);
    }
  }

  private String text() {
    List<String> ways = new ArrayList<>();
    if (!settings.isEmpty()) {
      ways.add("set " + String.join(" or ", settings));
    }
    if (!modules.isEmpty()) {
      ways.add("add " + String.join(" or ", modules) + " to the class path");
    }
    ways.add("define a bean of OutboxHandler, with angarium.inbox.enabled=true");
    return "transports: none (expected: at least one: "
        + String.join(", or ", ways)
        + "). If this process only writes and another one sends, set angarium.relay.enabled=false";
  }
}
