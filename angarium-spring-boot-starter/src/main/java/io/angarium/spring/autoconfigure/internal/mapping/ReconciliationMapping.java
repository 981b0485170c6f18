package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.ConfigurationException;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.spring.settings.AngariumProperties;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;

/** Maps the properties of reconciliations. */
public final class ReconciliationMapping {
  private static final String TASKS = "angarium.reconciliation.tasks.";

  private ReconciliationMapping() {}

  /** Returns the tasks that this process runs, by their names. */
  public static Map<String, AngariumProperties.ReconciliationTask> tasks(
      AngariumProperties.Reconciliation given) {
    Map<String, AngariumProperties.ReconciliationTask> tasks = new TreeMap<>(given.tasks());
    tasks.values().removeIf(task -> !(given.enabled() && task.enabled()));
    return tasks;
  }

  public static ReconciliationConfig config(
      String name, AngariumProperties.ReconciliationTask given) {
    ReconciliationConfig standard = ReconciliationConfig.of(name);
    Duration window = or(given.window(), standard.window());
    return new ReconciliationConfig(
        name,
        window,
        or(given.delay(), standard.delay()),
        or(given.ageMax(), standard.ageMax()),
        PropertyMapping.clamped(window, Duration.ofMillis(10), standard.interval()),
        or(given.lease(), standard.lease()));
  }

  /** Returns whether a task names both sides itself; otherwise a bean gives them. */
  public static boolean isOfMessages(AngariumProperties.ReconciliationTask given) {
    return given.destination() != null && given.consumer() != null;
  }

  /** The full name of the properties of a task. */
  public static String named(String task) {
    return TASKS + task;
  }

  /** What a check of a task throws, by the full names of the properties. */
  public static List<String> faults(String task, Runnable check) {
    try {
      check.run();
      return List.of();
    } catch (ConfigurationException e) {
      String prefix = Matcher.quoteReplacement(named(task) + ".");
      return e.faults().stream()
          .map(fault -> fault.replaceFirst("^reconciliation\\.", prefix))
          .toList();
    }
  }
}
