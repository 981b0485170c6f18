package io.angarium.spring.autoconfigure.internal.run;

import static io.angarium.spring.autoconfigure.internal.mapping.ReconciliationMapping.named;

import io.angarium.ConfigurationException;
import io.angarium.jdbc.reconciliation.ProducedMessages;
import io.angarium.reconciliation.ReconciledSide;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationConfig;
import io.angarium.reconciliation.ReconciliationListener;
import io.angarium.reconciliation.ReconciliationTask;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.TaskProgress;
import io.angarium.spring.autoconfigure.internal.mapping.ReconciliationMapping;
import io.angarium.spring.settings.AngariumProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task of a reconciliation as it is to run. Immutable.
 *
 * @param repaired where missing messages are sent again; null to leave that to listeners
 */
public record PlannedReconciliation(
    Reconciliation reconciliation,
    ReconciliationConfig config,
    @Nullable ProducedMessages repaired) {
  private static final String BY_ITSELF = "sent again by itself, as repair=true says";
  private static final Logger LOG = LoggerFactory.getLogger(PlannedReconciliation.class);

  /**
   * Plans the tasks of the properties that this process runs.
   *
   * @param made returns what a task of that name compares
   * @throws ConfigurationException if any task cannot run; lists every fault
   */
  public static List<PlannedReconciliation> all(
      AngariumProperties.Reconciliation given,
      BiFunction<String, AngariumProperties.ReconciliationTask, Reconciliation> made) {
    List<PlannedReconciliation> planned = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    ReconciliationMapping.tasks(given)
        .forEach(
            (name, task) ->
                faults.addAll(
                    ReconciliationMapping.faults(
                        name, () -> planned.add(of(name, task, made.apply(name, task))))));
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    return planned;
  }

  private static PlannedReconciliation of(
      String name, AngariumProperties.ReconciliationTask task, Reconciliation reconciliation) {
    ReconciliationConfig config = ReconciliationMapping.config(name, task);
    ReconciledSide produced = reconciliation.produced();
    List<String> faults =
        new ArrayList<>(ReconciliationMapping.faults(name, () -> reconciliation.check(config)));
    if (task.repair() && !(produced instanceof ProducedMessages)) {
      faults.add(
          named(name)
              + ".repair: true (expected: false, as the first side, "
              + produced.name()
              + ", is not one of ProducedMessages, which can be sent again; a bean of"
              + " ReconciliationListener can repair it)");
    }
    if (!faults.isEmpty()) {
      throw new ConfigurationException(faults);
    }
    return new PlannedReconciliation(
        reconciliation,
        config,
        task.repair() && produced instanceof ProducedMessages messages ? messages : null);
  }

  /**
   * Starts it. Listeners come before the repair: what one of them has not heard of is told again,
   * and what is missing is still missing then.
   *
   * @param shelf where reports are kept; null if they are not
   */
  public ReconciliationTask start(
      TaskProgress progress, @Nullable ReportShelf shelf, List<ReconciliationListener> listeners) {
    Consumer<Report> listener =
        report -> {
          listeners.forEach(each -> each.compared(config.task(), report));
          repair(report, shelf);
        };
    return shelf == null
        ? ReconciliationTask.start(reconciliation, config, progress, listener)
        : ReconciliationTask.start(reconciliation, config, progress, shelf, listener);
  }

  private void repair(Report report, @Nullable ReportShelf shelf) {
    if (repaired != null && !report.missing().isEmpty()) {
      int sent = repaired.sendAgain(report.missing(), "reconciliation " + config.task());
      LOG.info(
          "Reconciliation of {} sends {} of {} missing messages again; others wait anyway, are dead"
              + " letters or are not in the history",
          reconciliation.name(),
          sent,
          report.missing().size());
      if (shelf != null) {
        shelf.repaired(
            config.task(), report.window(), sent, "reconciliation " + config.task(), BY_ITSELF);
      }
    }
  }
}
