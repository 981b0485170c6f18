package io.angarium.spring.autoconfigure.internal.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Properties that earlier versions had, and what holds in their place. They are listed in {@value
 * #FILE}. Immutable.
 */
public final class RemovedProperties {
  static final String FILE = "/META-INF/angarium-removed.properties";

  private final Map<String, Removed> removed = new TreeMap<>();

  private RemovedProperties() {}

  /** Reads the list. */
  public static RemovedProperties read() {
    Properties lines = new Properties();
    try (InputStream file = RemovedProperties.class.getResourceAsStream(FILE)) {
      if (file != null) { // a jar of many jars may have lost it
        lines.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    RemovedProperties read = new RemovedProperties();
    for (String name : lines.stringPropertyNames()) {
      String[] parts = lines.getProperty(name).split("; ", 2);
      read.removed.put(name, new Removed(name, parts[0], parts[1]));
    }
    return read;
  }

  /** All of them by their names, in alphabetical order. */
  public Map<String, Removed> all() {
    return removed;
  }

  /**
   * The one of that name.
   *
   * @param given the full name with or without dashes and capitals
   */
  Optional<Removed> find(String given) {
    String uniform = PropertyNames.uniform(given);
    return removed.values().stream().filter(each -> each.isCalled(uniform)).findFirst();
  }

  /**
   * A property that is no more.
   *
   * @param name its full name; an element {@code *} stands for a name that the user chooses
   * @param since the version in which it was removed
   * @param instead the value that holds now, and how to get another
   */
  public record Removed(String name, String since, String instead) {
    /** What to say to somebody who sets it. */
    String fault(String given) {
      return given + ": removed in " + since + " (" + instead + "; remove the property)";
    }

    private boolean isCalled(String uniform) {
      String pattern = PropertyNames.uniform(name).replace(".", "\\.").replace("*", ".+");
      return Pattern.matches(pattern, uniform);
    }
  }
}
