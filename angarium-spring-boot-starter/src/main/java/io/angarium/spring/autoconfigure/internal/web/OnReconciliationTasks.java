package io.angarium.spring.autoconfigure.internal.web;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where the properties name a task of a reconciliation. Thread-safe. */
public final class OnReconciliationTasks extends SpringBootCondition {
  private static final String TASKS = "angarium.reconciliation.tasks";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    boolean any =
        Binder.get(context.getEnvironment())
            .bind(TASKS, Bindable.mapOf(String.class, Object.class))
            .map((Map<String, Object> all) -> !all.isEmpty())
            .orElse(false);
    return any
        ? ConditionOutcome.match("a task of a reconciliation is configured")
        : ConditionOutcome.noMatch(TASKS + " is not configured");
  }
}
