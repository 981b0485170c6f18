package io.angarium.server.start;

import io.angarium.internal.EditDistance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What stands on the command line of the server: options {@code --name=value}, and nothing else.
 * Immutable.
 *
 * @param help whether only the usage is asked for, wherever that stands
 * @param faults of arguments that are not understood, each with what was probably meant
 */
public record CommandLine(boolean help, List<String> faults) {
  private static final Set<String> HELP = Set.of("--help", "-help", "-h", "help");
  private static final String OPTION = "--";
  private static final int EDITS_MAX = 3;

  public static CommandLine of(List<String> arguments) {
    if (arguments.stream().anyMatch(HELP::contains)) {
      return new CommandLine(true, List.of());
    }
    List<String> faults = new ArrayList<>();
    OptionNames names = null;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (!argument.startsWith(OPTION)) {
        faults.add(noOption(argument, i == 0 ? "" : arguments.get(i - 1)));
      } else if (!OptionNames.isCheckedAtTheStart(name(argument))) {
        names = names == null ? OptionNames.read() : names;
        Optional<String> replacement = names.replacement(name(argument));
        if (replacement.isPresent()) {
          faults.add(removed(name(argument), replacement.get()));
        } else if (!names.contains(name(argument))) {
          faults.add(unknown(name(argument), names));
        }
      }
    }
    return new CommandLine(false, List.copyOf(faults));
  }

  private static String name(String argument) {
    int equals = argument.indexOf('=');
    return argument.substring(OPTION.length(), equals < 0 ? argument.length() : equals);
  }

  private static String noOption(String argument, String before) {
    if (before.startsWith(OPTION) && !before.contains("=")) {
      return "'%s' is no option (did you mean %s=%s?)".formatted(argument, before, argument);
    }
    String bare = argument.replaceFirst("^(-D|-+)", "");
    return bare.contains(".") || bare.contains("=")
        ? "'%s' is no option (did you mean --%s?)".formatted(argument, bare)
        : "unknown command '%s' (expected: options, each as --name=value)".formatted(argument);
  }

  private static String removed(String name, String replacement) {
    return "option --"
        + name
        + " was removed from Spring Boot "
        + (replacement.isEmpty() ? "(expected: none)" : "(expected: --" + replacement + ")");
  }

  private static String unknown(String name, OptionNames names) {
    List<String> like = EditDistance.nearest(name, names.all(), each -> each, EDITS_MAX);
    if (like.isEmpty()) {
      like =
          names.all().stream()
              .filter(each -> each.endsWith("." + name))
              .min(Comparator.comparingInt(String::length).thenComparing(each -> each))
              .map(List::of)
              .orElse(List.of());
    }
    return "unknown option --"
        + name
        + (like.isEmpty()
            ? " (expected: a property of docs/server.md or Spring Boot; a value of your own for"
                + " ${...} goes into application.properties or the environment)"
            : " (did you mean --" + String.join(" or --", like) + "?)");
  }
}
