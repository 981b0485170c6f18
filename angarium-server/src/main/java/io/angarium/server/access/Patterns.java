package io.angarium.server.access;

import io.angarium.internal.Wildcard;
import java.util.Collection;
import java.util.List;

/** Patterns with {@code *}; a text has to fit one of them. See {@link Wildcard}. Immutable. */
final class Patterns {
  private final List<Wildcard> patterns;
  private final boolean all;

  Patterns(Collection<String> texts) {
    this.all = texts.stream().anyMatch(text -> text.matches("\\*+"));
    this.patterns = texts.stream().map(Wildcard::of).toList();
  }

  /** The patterns as they were given; those for every text as one asterisk. */
  List<String> texts() {
    return all ? List.of("*") : patterns.stream().map(Wildcard::toString).toList();
  }

  /** Whether every text matches, as one of them is the asterisk alone. */
  boolean matchAll() {
    return all;
  }

  boolean match(String text) {
    return patterns.stream().anyMatch(pattern -> pattern.fits(text));
  }
}
