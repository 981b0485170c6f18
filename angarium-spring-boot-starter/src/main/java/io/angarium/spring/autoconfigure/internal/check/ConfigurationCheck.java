package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.ConfigurationException;
import io.angarium.confirmation.Receipts;
import io.angarium.half.TokenSource;
import io.angarium.spring.autoconfigure.internal.details.BrokerDefaults;
import io.angarium.spring.autoconfigure.internal.mapping.ReceiptsMapping;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.spring.settings.ConfigurationPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.context.ApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.unit.DataSize;

/**
 * Checks the properties under {@code angarium} while they are bound, and reports everything wrong
 * with them at once: values that cannot be read, unknown names, and values out of range. By itself
 * Spring Boot stops at the first. Thread-safe.
 */
public final class ConfigurationCheck implements ConfigurationPropertiesBindHandlerAdvisor {
  private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("angarium");

  private final Purpose purpose;
  private final ApplicationContext context;
  private final Iterable<ConfigurationPart<?>> parts;

  public ConfigurationCheck(
      Purpose purpose, ApplicationContext context, Iterable<ConfigurationPart<?>> parts) {
    this.purpose = purpose;
    this.context = context;
    this.parts = parts;
  }

  @Override
  public BindHandler apply(BindHandler next) {
    return new Gathering(ROOT, next, this::faultsOfAll);
  }

  private List<String> faultsOfAll(Object bound) {
    List<String> faults = new ArrayList<>();
    if (bound instanceof AngariumProperties properties) {
      BrokerDefaults defaults = BrokerDefaults.of(context);
      Surroundings around = new Surroundings(context);
      faults.addAll(PropertyFaults.of(properties, purpose, defaults, around));
      if (properties.half().enabled() && has(TokenSource.class)) {
        faults.addAll(HalfWays.keysBesidesTokens(properties.half()));
      }
      if (!has(Receipts.class)) {
        faults.addAll(ReceiptsMapping.unreported(properties.confirmation()));
      }
      faults.addAll(ReconciliationFaults.of(properties, purpose, context));
      faults.addAll(faultsOfParts());
      faults.addAll(unknownNames().faultsOfProcess(context.getEnvironment()));
    }
    return faults;
  }

  /** Makes no bean, as none is to be made yet. */
  private boolean has(Class<?> type) {
    return context.getBeanNamesForType(type, true, false).length > 0;
  }

  private List<String> faultsOfParts() {
    List<String> faults = new ArrayList<>();
    parts.forEach(part -> faults.addAll(faultsOf(part)));
    return faults;
  }

  private <T> List<String> faultsOf(ConfigurationPart<T> part) {
    Environment environment = context.getEnvironment();
    BindHandler handler =
        new Gathering(
            ConfigurationPropertyName.of(part.prefix()),
            new NoUnboundElementsBindHandler(
                BindHandler.DEFAULT, new UnboundElementsSourceFilter()),
            bound -> part.check().apply(part.type().cast(bound), environment));
    try {
      Binder.get(environment).bindOrCreate(part.prefix(), Bindable.of(part.type()), handler);
      return List.of();
    } catch (BindException e) {
      if (e.getCause() instanceof ConfigurationException faulty) {
        return faulty.faults();
      }
      throw e;
    }
  }

  private UnknownNames unknownNames() {
    PropertyNames names = PropertyNames.of("", AngariumProperties.class);
    for (ConfigurationPart<?> part : parts) {
      String prefix = part.prefix().substring(ROOT.toString().length() + 1);
      names = names.and(PropertyNames.of(prefix, part.type()));
    }
    return new UnknownNames(names);
  }

  private boolean isOfAPart(ConfigurationPropertyName name) {
    for (ConfigurationPart<?> part : parts) {
      if (ConfigurationPropertyName.of(part.prefix()).isAncestorOf(name)) {
        return true;
      }
    }
    return false;
  }

  private final class Gathering extends AbstractBindHandler {
    private final ConfigurationPropertyName root;
    private final Function<Object, List<String>> check;
    private final List<String> faults = new ArrayList<>();

    Gathering(
        ConfigurationPropertyName root, BindHandler next, Function<Object, List<String>> check) {
      super(next);
      this.root = root;
      this.check = check;
    }

    @Override
    public @Nullable Object onFailure(
        ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error)
        throws Exception {
      if (!root.isAncestorOf(name)) {
        return super.onFailure(name, target, context, error);
      }
      if (!isServiceLink(name, context)) {
        faults.add(unreadable(name, target, context));
      }
      return null;
    }

    @Override
    public void onFinish(
        ConfigurationPropertyName name,
        Bindable<?> target,
        BindContext context,
        @Nullable Object result)
        throws Exception {
      if (!root.equals(name)) {
        super.onFinish(name, target, context, result);
        return;
      }
      try {
        super.onFinish(name, target, context, result);
      } catch (UnboundConfigurationPropertiesException e) {
        e.getUnboundProperties().forEach(property -> addUnknown(property.getName()));
      }
      if (result != null) {
        faults.addAll(check.apply(result));
      }
      if (!faults.isEmpty()) {
        throw new ConfigurationException(faults);
      }
    }

    private void addUnknown(ConfigurationPropertyName name) {
      if (root.equals(ROOT) && isOfAPart(name)) {
        return; // that part looks for its own
      }
      boolean unreadable = faults.stream().anyMatch(fault -> fault.startsWith(name + ": "));
      if (!unreadable) {
        faults.add(unknownNames().fault(name.toString()));
      }
    }
  }

  /** Kubernetes sets ANGARIUM_SERVER_GRPC_PORT for a service that is called so. */
  private static boolean isServiceLink(ConfigurationPropertyName name, BindContext context) {
    ConfigurationProperty property = property(name, context);
    if (property == null) {
      return false;
    }
    ConfigurationPropertySource source = property.getSource();
    return source != null
        && source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource
        && UnknownNames.isServiceAddress(property.getValue());
  }

  private static @Nullable ConfigurationProperty property(
      ConfigurationPropertyName name, BindContext context) {
    for (ConfigurationPropertySource source : context.getSources()) {
      ConfigurationProperty property = source.getConfigurationProperty(name);
      if (property != null) {
        return property;
      }
    }
    return null;
  }

  private static String unreadable(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context) {
    ConfigurationProperty property = property(name, context);
    Object value = property == null ? null : property.getValue();
    return name + ": " + value + " (expected: " + expected(target.getType()) + ")";
  }

  private static String expected(ResolvableType declared) {
    Class<?> type = declared.resolve();
    if (type != null && Collection.class.isAssignableFrom(type)) {
      return "a list, of each " + expected(declared.getGeneric(0));
    }
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
    if (type != null && type.isRecord()) {
      return "no value, but properties whose names go on";
    }
    return type == Integer.class ? "a whole number" : "a number";
  }
}
