package io.angarium.spring.autoconfigure.internal.web;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where the properties name destinations that demand confirmation. Thread-safe. */
public final class OnConfirmedDestinations extends SpringBootCondition {
  private static final String DESTINATIONS = "angarium.confirmation.destinations";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    boolean any =
        Binder.get(context.getEnvironment())
            .bind(DESTINATIONS, Bindable.listOf(String.class))
            .map((List<String> all) -> !all.isEmpty())
            .orElse(false);
    return any
        ? ConditionOutcome.match("a destination demands confirmation")
        : ConditionOutcome.noMatch(DESTINATIONS + " is not configured");
  }
}
