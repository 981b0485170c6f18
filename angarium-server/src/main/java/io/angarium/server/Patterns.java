package io.angarium.server;

import io.angarium.Wildcard;
import java.util.Collection;
import java.util.List;

/** Texts with {@code *}, of which one has to fit; see {@link Wildcard}. Immutable. */
final class Patterns {
  private final List<Wildcard> patterns;
  private final boolean all;

  Patterns(Collection<String> texts) {
    this.all = texts.stream().anyMatch(text -> text.matches("\\*+"));
    this.patterns = texts.stream().map(Wildcard::of).toList();
  }

  /** Whether every text matches, as one of them is the asterisk alone. */
  boolean matchAll() {
    return all;
  }

  boolean match(String text) {
    return patterns.stream().anyMatch(pattern -> pattern.fits(text));
  }
}
