package io.angarium.server;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** Texts in which {@code *} stands for any characters, also none. Immutable. */
final class Patterns {
  private final List<Pattern> patterns;
  private final boolean all;

  Patterns(Collection<String> texts) {
    this.all = texts.stream().anyMatch(text -> text.matches("\\*+"));
    this.patterns = texts.stream().map(Patterns::compiled).toList();
  }

  private static Pattern compiled(String text) {
    List<String> literals = List.of(text.split("\\*", -1)).stream().map(Pattern::quote).toList();
    return Pattern.compile(String.join(".*", literals), Pattern.DOTALL);
  }

  /** Whether every text matches, as one of them is the asterisk alone. */
  boolean matchAll() {
    return all;
  }

  boolean match(String text) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(text).matches());
  }
}
