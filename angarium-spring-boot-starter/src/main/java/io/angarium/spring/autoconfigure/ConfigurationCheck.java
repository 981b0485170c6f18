package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * Checks the properties under {@code angarium} while they are bound, and reports everything wrong
 * with them at once: values that cannot be read, unknown names, and values out of range. By itself
 * Spring Boot stops at the first. Thread-safe.
 */
final class ConfigurationCheck implements ConfigurationPropertiesBindHandlerAdvisor {
  private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("angarium");

  private final BrokerDefaults defaults;

  ConfigurationCheck(BrokerDefaults defaults) {
    this.defaults = defaults;
  }

  @Override
  public BindHandler apply(BindHandler next) {
    return new Gathering(next);
  }

  private final class Gathering extends AbstractBindHandler {
    private final List<String> faults = new ArrayList<>();

    Gathering(BindHandler next) {
      super(next);
    }

    @Override
    public @Nullable Object onFailure(
        ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
        throws Exception {
      if (!ROOT.isAncestorOf(name)) {
        return super.onFailure(name, target, context, error);
      }
      faults.add(unreadable(name, target, context));
      return null;
    }

    @Override
    public void onFinish(
        ConfigurationPropertyName name,
        Bindable<?> target,
        BindContext context,
        @Nullable Object result)
        throws Exception {
      if (!ROOT.equals(name)) {
        super.onFinish(name, target, context, result);
        return;
      }
      try {
        super.onFinish(name, target, context, result);
      } catch (UnboundConfigurationPropertiesException e) {
        e.getUnboundProperties().forEach(property -> addUnknown(property.getName()));
      }
      if (result instanceof AngariumProperties properties) {
        faults.addAll(PropertyFaults.of(properties, defaults));
      }
      if (!faults.isEmpty()) {
        throw new ConfigurationException(faults);
      }
    }

    private void addUnknown(ConfigurationPropertyName name) {
      boolean unreadable = faults.stream().anyMatch(fault -> fault.startsWith(name + ": "));
      if (!unreadable) {
        faults.add(name + ": unknown property (expected: one of docs/configuration.md)");
      }
    }
  }

  private static String unreadable(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context) {
    Object value = null;
    for (ConfigurationPropertySource source : context.getSources()) {
      ConfigurationProperty property = source.getConfigurationProperty(name);
      if (property != null) {
        value = property.getValue();
        break;
      }
    }
    return name + ": " + value + " (expected: " + expected(target.getType().resolve()) + ")";
  }

  private static String expected(@Nullable Class<?> type) {
    if (type == Duration.class) {
      return "a duration, e.g. 500ms, 30s or 7d";
    }
    if (type == DataSize.class) {
      return "a size, e.g. 512KB or 1MB";
    }
    if (type != null && type.isEnum()) {
      return Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT);
    }
    if (type == Boolean.class || type == boolean.class) {
      return "true or false";
    }
    return type == Integer.class ? "a whole number" : "a number";
  }
}
