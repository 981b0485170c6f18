package io.angarium.spring.autoconfigure;

import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationListener;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.TaskProgress;
import io.angarium.spring.autoconfigure.internal.run.PlannedReconciliation;
import io.angarium.spring.autoconfigure.internal.run.ReconciliationLifecycle;
import io.angarium.spring.autoconfigure.internal.web.OnReconciliationTasks;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Reconciliations that the properties name, each by a task: one of a destination with a consumer of
 * the inbox, or the bean of type {@link Reconciliation} that has the name of the task.
 */
@AutoConfiguration(after = {AngariumAutoConfiguration.class, AngariumInboxAutoConfiguration.class})
@ConditionalOnBean({AngariumProperties.class, JdbcDatabase.class})
@ConditionalOnProperty(name = "angarium.reconciliation.enabled", matchIfMissing = true)
@Conditional(OnReconciliationTasks.class)
public final class AngariumReconciliationAutoConfiguration {
  /** Creates the configuration. */
  public AngariumReconciliationAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  TaskProgress angariumTaskProgress(JdbcDatabase database) {
    return database.taskProgress();
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty("angarium.reconciliation.reports")
  ReportShelf angariumReportShelf(JdbcDatabase database) {
    return database.reportShelf();
  }

  @Bean
  @ConditionalOnMissingBean
  ReconciliationLifecycle angariumReconciliations(
      AngariumProperties properties,
      JdbcDatabase database,
      ObjectProvider<JdbcInbox> inbox,
      TaskProgress progress,
      ObjectProvider<ReportShelf> shelf,
      BeanFactory beans,
      ObjectProvider<ReconciliationListener> listeners) {
    List<PlannedReconciliation> planned =
        PlannedReconciliation.all(
            properties.reconciliation(),
            (name, task) ->
                task.destination() == null || task.consumer() == null
                    ? beans.getBean(name, Reconciliation.class)
                    : new Reconciliation(
                        database.produced(task.destination()),
                        inbox.getObject().consumed(task.consumer())));
    return new ReconciliationLifecycle(
        () -> {
          List<ReconciliationListener> told = listeners.orderedStream().toList();
          ReportShelf kept = shelf.getIfAvailable();
          return planned.stream().map(task -> task.start(progress, kept, told)).toList();
        });
  }
}
