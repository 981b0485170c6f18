package io.angarium;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;

/**
 * The type name of a payload class that nobody named: its simple name in lower case with dashes,
 * {@code OrderPaid} as {@code order-paid}. Part of the wire format: the rule must never change.
 */
final class DerivedName {
  private DerivedName() {}

  /** The name; empty if that of the class does not say what it holds. */
  static Optional<String> of(Class<?> type) {
    String name = saysWhatItHolds(type) ? dashed(type.getSimpleName()) : "";
    boolean usable = !name.isEmpty() && name.length() <= MessageLimits.TYPE_LENGTH_MAX;
    return usable ? Optional.of(name) : Optional.empty();
  }

  private static boolean saysWhatItHolds(Class<?> type) {
    boolean ofTheJdk = type.getClassLoader() == null || type.getName().startsWith("java.");
    boolean holdsOthers =
        type.isArray() || Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    boolean generated =
        type.isAnonymousClass()
            || type.isHidden()
            || type.isSynthetic()
            || Proxy.isProxyClass(type)
            || type.getSimpleName().indexOf('$') >= 0;
    return !ofTheJdk && !holdsOthers && !generated;
  }

  private static String dashed(String name) {
    StringBuilder text = new StringBuilder(name.length() + 8);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean dash = c == '_' || (i > 0 && beginsWord(name, i));
      if (dash && !text.isEmpty() && text.charAt(text.length() - 1) != '-') {
        text.append('-');
      }
      if (c != '_') {
        text.append(Character.toLowerCase(c));
      }
    }
    int end = text.length() - 1;
    return end >= 0 && text.charAt(end) == '-' ? text.substring(0, end) : text.toString();
  }

  /** A capital after something else, or the last one of several before a small letter. */
  private static boolean beginsWord(String name, int i) {
    boolean lastOfSeveral = i + 1 < name.length() && Character.isLowerCase(name.charAt(i + 1));
    return Character.isUpperCase(name.charAt(i))
        && (!Character.isUpperCase(name.charAt(i - 1)) || lastOfSeveral);
  }
}
