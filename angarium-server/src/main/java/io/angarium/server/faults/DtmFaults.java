package io.angarium.server.faults;

import io.angarium.ConfigFaults;
import io.angarium.half.HalfKey;
import io.angarium.server.settings.DtmProperties;
import io.angarium.server.settings.OnSwitch;
import io.angarium.server.settings.ServerProperties;
import java.util.List;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Everything that is wrong with how the calls of dtm are to be answered. */
final class DtmFaults {
  private static final String PREFIX = ServerProperties.PREFIX + ".dtm.";

  private DtmFaults() {}

  static void gather(DtmProperties dtm, Environment environment, ConfigFaults faults) {
    if (!dtm.enabled()) {
      return;
    }
    String reason = "as " + PREFIX + "enabled is true, and steps are called over HTTP";
    for (String each : List.of("angarium.relay.enabled", "angarium.http.enabled")) {
      boolean on = OnSwitch.Switches.isOn(environment, each, true);
      faults.require(on, each, environment.getProperty(each), "true, " + reason);
    }
    faults
        .require(
            isBusiness(dtm.business()), PREFIX + "business", "'" + dtm.business() + "'", "an id")
        .require(
            anyHost(environment),
            "angarium.http.allowed-hosts",
            "none",
            "hosts of steps, " + reason);
  }

  private static boolean isBusiness(String business) {
    try {
      return !new HalfKey(business, "key").business().isBlank();
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static boolean anyHost(Environment environment) {
    Binder binder = Binder.get(environment);
    boolean hosts =
        binder
            .bind("angarium.http.allowed-hosts", Bindable.listOf(String.class))
            .map((List<String> all) -> !all.isEmpty())
            .orElse(false);
    return hosts
        || binder
            .bind("angarium.http.hooks", Bindable.mapOf(String.class, Object.class))
            .map((Map<String, Object> all) -> !all.isEmpty())
            .orElse(false);
  }
}
