package io.angarium.spring.autoconfigure.internal.web;

import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where the properties name a web hook or an allowed host. Thread-safe. */
public final class OnHttpHooks extends SpringBootCondition {
  private static final String HOOKS = "angarium.http.hooks";
  private static final String HOSTS = "angarium.http.allowed-hosts";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    return isWanted(context.getEnvironment())
        ? ConditionOutcome.match("a web hook or an allowed host is configured")
        : ConditionOutcome.noMatch("neither " + HOOKS + " nor " + HOSTS + " is configured");
  }

  private static boolean isWanted(Environment environment) {
    Binder binder = Binder.get(environment);
    boolean hooks =
        binder
            .bind(HOOKS, Bindable.mapOf(String.class, Object.class))
            .map((Map<String, Object> all) -> !all.isEmpty())
            .orElse(false);
    boolean hosts =
        binder
            .bind(HOSTS, Bindable.listOf(String.class))
            .map((List<String> all) -> !all.isEmpty())
            .orElse(false);
    return hooks || hosts;
  }
}
