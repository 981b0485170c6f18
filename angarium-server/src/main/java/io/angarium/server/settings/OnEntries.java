package io.angarium.server.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where a property of the server that is a list has an entry, or the one for some
 * businesses that has its name and {@code -of}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnEntries.Entries.class)
public @interface OnEntries {
  /** The property, without the prefix of the server's properties. */
  String value();

  /** Looks at the property. Thread-safe. */
  final class Entries extends SpringBootCondition {
    @Override
    public ConditionOutcome getMatchOutcome(
        ConditionContext context, AnnotatedTypeMetadata metadata) {
      Map<String, Object> attributes = metadata.getAnnotationAttributes(OnEntries.class.getName());
      String name =
          ServerProperties.PREFIX + "." + (attributes == null ? "" : attributes.get("value"));
      Binder binder = Binder.get(context.getEnvironment());
      boolean any =
          binder
                  .bind(name, Bindable.listOf(String.class))
                  .map((List<String> all) -> !all.isEmpty())
                  .orElse(false)
              || binder.bind(name + "-of", Bindable.mapOf(String.class, Object.class)).isBound();
      return new ConditionOutcome(any, name + (any ? " has entries" : " is not configured"));
    }
  }
}
