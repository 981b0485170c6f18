package io.angarium.http.alert;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes what is secret out of texts that leave this package: the secret, and the path and query of
 * an address. Receivers may repeat them in an answer. Immutable.
 */
final class HiddenParts {
  private static final String SHOWN = "***";

  /** Shorter words, such as {@code send}, occur in other places as well. */
  private static final int LENGTH_MIN = 6;

  private final List<String> hidden;

  HiddenParts(URI uri, @Nullable String secret) {
    Set<String> all = new LinkedHashSet<>();
    if (secret != null) {
      all.add(secret);
    }
    addParts(all, uri.getRawPath(), "/");
    addParts(all, uri.getRawQuery(), "&(?:[^&=]*=)?|^[^&=]*=");
    List<String> longestFirst = new ArrayList<>(all);
    longestFirst.sort(Comparator.comparingInt(String::length).reversed());
    this.hidden = List.copyOf(longestFirst);
  }

  private static void addParts(Set<String> all, @Nullable String raw, String separator) {
    if (raw == null) {
      return;
    }
    add(all, raw);
    for (String part : raw.split(separator, -1)) {
      add(all, part);
    }
  }

  private static void add(Set<String> all, String raw) {
    if (raw.length() >= LENGTH_MIN) {
      all.add(raw);
      all.add(URLDecoder.decode(raw, StandardCharsets.UTF_8));
    }
  }

  String hide(String text) {
    String safe = text;
    for (String each : hidden) {
      safe = safe.replace(each, SHOWN);
    }
    return safe;
  }
}
