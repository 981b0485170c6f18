package io.angarium.spring.autoconfigure.internal.web;

import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where the properties name a host that may be asked for half messages. Thread-safe. */
public final class OnCheckBackHosts extends SpringBootCondition {
  private static final String HOSTS = "angarium.half.check.allowed-hosts";
  private static final String HOSTS_OF = HOSTS + "-of";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Binder binder = Binder.get(context.getEnvironment());
    boolean any =
        binder
                .bind(HOSTS, Bindable.listOf(String.class))
                .map((List<String> all) -> !all.isEmpty())
                .orElse(false)
            || binder.bind(HOSTS_OF, Bindable.mapOf(String.class, Object.class)).isBound();
    return any
        ? ConditionOutcome.match("a host that may be asked is configured")
        : ConditionOutcome.noMatch(HOSTS + " is not configured");
  }
}
