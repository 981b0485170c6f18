package io.angarium.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shows destinations that are whole addresses without what is secret in them. For Angarium's
 * modules. Thread-safe.
 */
public final class ShownAddress {
  private static final Pattern ADDRESS =
      Pattern.compile("([a-z0-9-]+:)?(https?://)(?:[^/@?#]*@)?([^?#]*)(?:[?#].*)?");

  private ShownAddress() {}

  /** The destination without user, query and fragment of an address. */
  public static String of(String destination) {
    Matcher parts = ADDRESS.matcher(destination);
    return parts.matches()
        ? (parts.group(1) == null ? "" : parts.group(1)) + parts.group(2) + parts.group(3)
        : destination;
  }
}
