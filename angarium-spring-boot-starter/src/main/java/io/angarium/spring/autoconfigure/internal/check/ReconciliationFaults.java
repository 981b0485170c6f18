package io.angarium.spring.autoconfigure.internal.check;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;
import static io.angarium.spring.autoconfigure.internal.mapping.ReconciliationMapping.named;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.inbox.InboxKey;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.spring.autoconfigure.internal.mapping.ReconciliationMapping;
import io.angarium.spring.autoconfigure.internal.run.PlannedReconciliation;
import io.angarium.spring.settings.AngariumProperties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * What is wrong with the tasks of reconciliations, as far as that can be told before any bean is
 * made; the others are told by {@link PlannedReconciliation}.
 */
final class ReconciliationFaults {
  private final AngariumProperties properties;
  private final ListableBeanFactory beans;
  private final List<String> faults = new ArrayList<>();

  private ReconciliationFaults(AngariumProperties properties, ListableBeanFactory beans) {
    this.properties = properties;
    this.beans = beans;
  }

  /** By the full names of the properties; none where nothing is compared. */
  static List<String> of(
      AngariumProperties properties, Purpose purpose, ListableBeanFactory beans) {
    Map<String, AngariumProperties.ReconciliationTask> tasks =
        ReconciliationMapping.tasks(properties.reconciliation());
    if (tasks.isEmpty()) {
      return List.of();
    }
    if (purpose == Purpose.CONSUME) {
      return List.of(
          "angarium.reconciliation.enabled: true (expected: false, as there is no outbox, whose"
              + " database holds how far tasks have come; or angarium.enabled=true)");
    }
    ReconciliationFaults gathered = new ReconciliationFaults(properties, beans);
    tasks.forEach(gathered::addTask);
    if (tasks.values().stream().anyMatch(ReconciliationMapping::isOfMessages)) {
      gathered.addSides();
    }
    return gathered.faults;
  }

  private void addTask(String name, AngariumProperties.ReconciliationTask task) {
    faults.addAll(
        ReconciliationMapping.faults(
            name, () -> addAge(task, ReconciliationMapping.config(name, task))));
    List<String> compared = names(Reconciliation.class);
    if (task.destination() != null || task.consumer() != null) {
      addMessages(named(name), task, compared.contains(name));
    } else if (!compared.contains(name)) {
      String there = compared.isEmpty() ? ", of which there is none" : ": one of " + compared;
      faults.add(
          named(name)
              + ": the name of no bean (expected: that of a bean of type Reconciliation"
              + there
              + "; or a destination and a consumer)");
    }
  }

  /** Makes no bean, as none is to be made yet. */
  private List<String> names(Class<?> type) {
    return List.copyOf(new TreeSet<>(Arrays.asList(beans.getBeanNamesForType(type, true, false))));
  }

  private void addMessages(
      String task, AngariumProperties.ReconciliationTask given, boolean hasBean) {
    if (hasBean) {
      faults.add(
          task
              + ": the name of a bean of type Reconciliation (expected: another one, as there is a"
              + " destination or a consumer)");
    }
    if (!isDestination(given.destination())) {
      faults.add(
          task
              + ".destination: "
              + or(given.destination(), "none")
              + " (expected: e.g. kafka:orders, as messages are sent to it)");
    }
    if (!isConsumer(given.consumer())) {
      faults.add(
          task
              + ".consumer: "
              + or(given.consumer(), "none")
              + " (expected: 1.."
              + InboxKey.CONSUMER_LENGTH_MAX
              + " characters, as in the keys of the inbox)");
    }
  }

  private static boolean isDestination(@Nullable String text) {
    try {
      return text != null && Destination.parse(text).toString().equals(text);
    } catch (InvalidMessageException e) {
      return false;
    }
  }

  private static boolean isConsumer(@Nullable String text) {
    try {
      return text != null && new InboxKey(text, new UUID(0, 0)).consumer().equals(text);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void addSides() {
    if (isOurDatabase() && !or(properties.jdbc().history(), JdbcConfig.DEFAULTS.history())) {
      faults.add(
          "angarium.jdbc.history: false (expected: true, as a reconciliation must know what was"
              + " sent)");
    }
    if (names(JdbcInbox.class).isEmpty()) {
      faults.add(
          "angarium.inbox.enabled: false (expected: true, as a reconciliation must know what was"
              + " processed)");
    }
  }

  private void addAge(AngariumProperties.ReconciliationTask task, ReconciliationConfig config) {
    if (!ReconciliationMapping.isOfMessages(task)) {
      return;
    }
    if (isOurs(JdbcInbox.class, "angariumJdbcInbox")) {
      Duration kept = or(properties.inbox().retention(), InboxConfig.DEFAULTS.retention());
      addAge(config, "inbox.retention", kept);
    }
    Duration kept = properties.retention().sent();
    if (isOurDatabase() && properties.retention().enabled() && kept != null) {
      addAge(config, "retention.sent", kept);
    }
  }

  private void addAge(ReconciliationConfig config, String forgetting, Duration kept) {
    if (config.ageMax().compareTo(kept) > 0) {
      faults.add(
          "%s.age-max: %s (expected: at most %s, as angarium.%s says; or a longer one there)"
              .formatted(
                  named(config.task()),
                  DurationText.of(config.ageMax()),
                  DurationText.of(kept),
                  forgetting));
    }
  }

  private boolean isOurDatabase() {
    return isOurs(JdbcDatabase.class, "angariumDatabase");
  }

  /** The properties say nothing about what the application has made itself. */
  private boolean isOurs(Class<?> type, String name) {
    return names(type).equals(List.of(name));
  }
}
