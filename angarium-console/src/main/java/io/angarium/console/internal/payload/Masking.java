package io.angarium.console.internal.payload;

import io.angarium.console.settings.ConsoleSettings;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells by names of fields and headers which values are masked. Immutable. */
public final class Masking {
  /** What stands in the place of a masked value. */
  public static final String MASK = "••••";

  private static final Pattern SEPARATORS = Pattern.compile("[-_. ]");

  private final Set<String> names = new HashSet<>();

  /** Masks the default names and these. */
  public Masking(Set<String> more) {
    ConsoleSettings.MASKED_DEFAULT.forEach(each -> names.add(folded(each)));
    more.forEach(each -> names.add(folded(each)));
  }

  /** Whether a value of this name is masked; a name that contains a masked word is, too. */
  public boolean isMasked(String name) {
    String folded = folded(name);
    return names.stream().anyMatch(folded::contains);
  }

  private static String folded(String name) {
    return SEPARATORS.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
  }
}
