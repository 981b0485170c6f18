package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.internal.EditDistance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Words the faults of names that no property has. Spring Boot reports only names in files and on
 * the command line. Environment variables and system properties may belong to anybody, so one
 * counts only if its name is a slip away from a property. Immutable.
 */
final class UnknownNames {
  private static final String ROOT = "angarium.";
  private static final String VARIABLE_ROOT = "ANGARIUM_";

  /** Fewer than in files: a wrong guess would stop an application that has no fault. */
  private static final int EDITS_MAX = 1;

  /** Variables of Kubernetes and Docker for a service whose name begins with ours. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          ".*_SERVICE_(HOST|PORT(_.*)?)|(.*_)?PORT_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");

  private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

  private final PropertyNames names;

  UnknownNames(PropertyNames names) {
    this.names = names;
  }

  /** The fault of a property that is bound to nothing, by its full name. */
  String fault(String name) {
    return RemovedProperties.read()
        .find(name)
        .map(found -> found.fault(name))
        .orElseGet(() -> name + ": unknown property " + expected(name));
  }

  private String expected(String name) {
    List<String> like = names.like(withoutRoot(name)).stream().map(ROOT::concat).toList();
    return like.isEmpty()
        ? "(expected: one of docs/configuration.md)"
        : "(did you mean " + String.join(" or ", like) + "?)";
  }

  /** The faults of environment variables and system properties. */
  List<String> faultsOfProcess(Environment environment) {
    List<String> faults = new ArrayList<>();
    if (environment instanceof ConfigurableEnvironment configurable) {
      given(configurable, StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
          .flatMap(source -> Stream.of(source.getPropertyNames()))
          .forEach(name -> addSystemProperty(faults, name));
      given(configurable, StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME)
          .forEach(source -> addVariables(faults, source));
    }
    return faults;
  }

  private static Stream<EnumerablePropertySource<?>> given(
      ConfigurableEnvironment environment, String name) {
    PropertySource<?> source = environment.getPropertySources().get(name);
    return source instanceof EnumerablePropertySource<?> named ? Stream.of(named) : Stream.empty();
  }

  private void addSystemProperty(List<String> faults, String name) {
    if (name.startsWith(ROOT) && !names.contains(withoutRoot(name)) && isMeant(name)) {
      faults.add("system property " + fault(name));
    }
  }

  private boolean isMeant(String name) {
    return RemovedProperties.read().find(name).isPresent()
        || names.near(withoutRoot(name), EDITS_MAX).stream()
            .anyMatch(like -> isSlip(withoutRoot(name), like));
  }

  private void addVariables(List<String> faults, EnumerablePropertySource<?> variables) {
    for (String variable : variables.getPropertyNames()) {
      String name = variable.toUpperCase(Locale.ROOT);
      if (name.startsWith(VARIABLE_ROOT) && !isServiceLink(name, variables.getProperty(variable))) {
        addVariable(faults, variable, joined(name.substring(VARIABLE_ROOT.length())));
      }
    }
  }

  private static boolean isServiceLink(String name, @Nullable Object value) {
    return SERVICE_LINK.matcher(name).matches() || isServiceAddress(value);
  }

  static boolean isServiceAddress(@Nullable Object value) {
    return SERVICE_ADDRESS.matcher(String.valueOf(value)).matches();
  }

  private void addVariable(List<String> faults, String variable, String given) {
    Optional<RemovedProperties.Removed> gone =
        RemovedProperties.read().all().values().stream()
            .filter(
                each ->
                    given.matches(
                        joined(withoutRoot(each.name())).replace(PropertyNames.ANY, ".+")))
            .findFirst();
    if (gone.isPresent()) {
      faults.add("environment variable " + gone.get().fault(variable));
      return;
    }
    List<String> fixed = new ArrayList<>();
    for (String name : names.all()) {
      int any = name.indexOf(PropertyNames.ANY);
      if (any < 0 ? given.equals(joined(name)) : given.startsWith(joined(name.substring(0, any)))) {
        return;
      }
      if (any < 0) {
        fixed.add(name);
      }
    }
    List<String> like =
        EditDistance.nearest(given, fixed, UnknownNames::joined, EDITS_MAX).stream()
            .filter(name -> isSlip(given, joined(name)))
            .toList();
    if (!like.isEmpty()) {
      String meant = String.join(" or ", like.stream().map(UnknownNames::variable).toList());
      faults.add(
          "environment variable " + variable + ": unknown property (did you mean " + meant + "?)");
    }
  }

  /** Not if one letter replaces another: "mode" and "node" are two words. */
  private static boolean isSlip(String given, String name) {
    return given.length() != name.length()
        || Arrays.equals(given.chars().sorted().toArray(), name.chars().sorted().toArray());
  }

  /** A variable does not tell where an element of a name ends. */
  private static String joined(String name) {
    return name.replaceAll("[-_.\\[\\]]", "").toUpperCase(Locale.ROOT);
  }

  private static String variable(String name) {
    return VARIABLE_ROOT + name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static String withoutRoot(String name) {
    return name.startsWith(ROOT) ? name.substring(ROOT.length()) : name;
  }
}
