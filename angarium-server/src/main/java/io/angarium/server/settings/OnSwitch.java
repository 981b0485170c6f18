package io.angarium.server.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches where a switch of the server is on: by the value that the properties read, too. */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnSwitch.Switches.class)
public @interface OnSwitch {
  /** The property, without the prefix of the server's properties. */
  String value();

  /** What it is if nothing is said. */
  boolean otherwise() default false;

  /** Looks at the property. Thread-safe. */
  final class Switches extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      Map<String, Object> attributes = metadata.getAnnotationAttributes(OnSwitch.class.getName());
      Map<String, Object> given = attributes == null ? Map.of() : attributes;
      String name = ServerProperties.PREFIX + "." + given.get("value");
      boolean otherwise = Boolean.TRUE.equals(given.get("otherwise"));
      boolean on = isOn(context.getEnvironment(), name, otherwise);
      return new ConditionOutcome(on, name + " is " + (on ? "on" : "off"));
    }

    /** Whether a switch is on; of what is no switch, that stops the start, what holds otherwise. */
    public static boolean isOn(Environment environment, String name, boolean otherwise) {
      try {
        return Binder.get(environment).bind(name, Boolean.class).orElse(otherwise);
      } catch (BindException e) {
        return otherwise;
      }
    }
  }
}
