package io.angarium.spring.autoconfigure.internal.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where an endpoint is switched on by the value that the properties read: "off" and "no"
 * are false, too, and would map it unchecked.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnEndpoint.Switched.class)
@interface OnEndpoint {
  /** The beginning of its properties, below {@code angarium}. */
  String value();

  /** Looks at the switch. Thread-safe. */
  final class Switched extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      String prefix = metadata.getAnnotations().get(OnEndpoint.class).getString("value");
      String name = "angarium." + prefix + "enabled";
      return new ConditionOutcome(
          isOn(context.getEnvironment(), name),
          ConditionMessage.forCondition(OnEndpoint.class).because(name));
    }

    /** What is no switch stops the start elsewhere. */
    private static boolean isOn(Environment environment, String name) {
      try {
        return Binder.get(environment).bind(name, Boolean.class).orElse(false);
      } catch (BindException e) {
        return false;
      }
    }
  }
}
