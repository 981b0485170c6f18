package io.angarium.spring.autoconfigure.board;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where the node board is switched on, or not configured and the console or alerts are on.
 * Thread-safe.
 */
final class OnNodeBoard extends SpringBootCondition {
  private static final String ENABLED = "angarium.node-board.enabled";

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    Environment environment = context.getEnvironment();
    boolean wanted = isOn(environment, "angarium.console.enabled", false);
    wanted |= isOn(environment, "angarium.alerts.enabled", false);
    return isOn(environment, ENABLED, wanted)
        ? ConditionOutcome.match("the node board, the console or alerts are switched on")
        : ConditionOutcome.noMatch(ENABLED + " is not true, or nobody reads the node board");
  }

  private static boolean isOn(Environment environment, String name, boolean otherwise) {
    return environment.getProperty(name, Boolean.class, otherwise);
  }
}
