package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.spring.autoconfigure.internal.mapping.ConsoleMapping;
import io.angarium.spring.settings.ConsoleProperties;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a console that is switched on. */
final class ConsoleFaults {
  private static final String SWITCH = "angarium.console.enabled";

  private ConsoleFaults() {}

  static List<String> of(ConsoleProperties given, Surroundings around) {
    if (!given.enabled()) {
      return List.of();
    }
    List<String> faults = new ArrayList<>();
    if (!around.haveMvc()) {
      faults.add(MissingModule.behindSwitch(SWITCH, "Spring MVC"));
    }
    if (!around.areServlets()) {
      faults.add(
          SWITCH
              + ": true (expected: false, or a web application of servlets; in any other run the"
              + " console in a server, see docs/console.md)");
    }
    if (around.have("io.angarium.console.OperatorConsole")) {
      ConsoleMapping.faults(given).forEach(fault -> faults.add("angarium.console." + fault));
    } else {
      faults.add(MissingModule.behindSwitch(SWITCH, "angarium-console"));
    }
    return faults;
  }
}
