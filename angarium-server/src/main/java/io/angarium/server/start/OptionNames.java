package io.angarium.server.start;

import io.angarium.server.settings.ServerProperties;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The names of the properties that this server has, from the descriptions in its jars. Names below
 * {@code angarium} are checked at the start, no matter where they are set. Immutable.
 */
final class OptionNames {
  private static final String ANGARIUM = "angarium.";

  private static final List<String> DESCRIPTIONS =
      List.of(
          "META-INF/spring-configuration-metadata.json",
          "META-INF/additional-spring-configuration-metadata.json");

  /** What the starter reads without that part of Spring Boot. */
  private static final List<String> OPEN =
      List.of("spring.kafka.", "spring.rabbitmq.", "rocketmq.");

  /** What Spring Boot reads without a description. */
  private static final List<String> UNDESCRIBED =
      List.of("spring.application.json", "spring.config.on-not-found");

  /** Their values have names of their own. */
  private static final Set<String> OF_ENTRIES =
      Set.of("java.util.Map", "java.util.Properties", "java.util.List", "java.util.Set");

  private static final String ARRAY = "[]";

  private final Set<String> names = new TreeSet<>();
  private final Map<String, String> removed = new HashMap<>();
  private final Set<String> uniform = new HashSet<>();
  private final Set<String> prefixes = new HashSet<>();

  private OptionNames() {
    OPEN.forEach(prefix -> prefixes.add(prefix.substring(0, prefix.length() - 1)));
    UNDESCRIBED.forEach(name -> add(name, ""));
    addOwn(ServerProperties.PREFIX, ServerProperties.class);
  }

  static OptionNames read() {
    OptionNames read = new OptionNames();
    try {
      for (String description : DESCRIPTIONS) {
        for (URL each : resources(description)) {
          read.add(each);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return read;
  }

  private static List<URL> resources(String name) throws IOException {
    return Collections.list(OptionNames.class.getClassLoader().getResources(name));
  }

  private void add(URL description) throws IOException {
    try (InputStream in = description.openStream()) {
      for (JsonNode property : JsonMapper.shared().readTree(in).path("properties")) {
        String name = property.path("name").asString();
        JsonNode deprecation = property.path("deprecation");
        if (deprecation.path("level").asString("").equals("error")) {
          removed.put(uniform(name), deprecation.path("replacement").asString(""));
        } else {
          add(name, property.path("type").asString(""));
        }
      }
    }
  }

  /** The server's own properties have no description in its jar. */
  private void addOwn(String prefix, Class<?> properties) {
    for (RecordComponent each : properties.getRecordComponents()) {
      String name = prefix + "." + DataObjectPropertyName.toDashedForm(each.getName());
      if (each.getType().isRecord()) {
        addOwn(name, each.getType());
      } else {
        names.add(name);
      }
    }
  }

  private void add(String name, String type) {
    names.add(name);
    uniform.add(uniform(name));
    if (type.endsWith(ARRAY) || OF_ENTRIES.contains(type.replaceFirst("<.*", ""))) {
      prefixes.add(uniform(name));
    }
  }

  /** Whether the start itself reports a name that is unknown. */
  static boolean isCheckedAtTheStart(String name) {
    return uniform(name).startsWith(ANGARIUM);
  }

  /** Returns the names as documentation writes them, in alphabetical order. */
  Set<String> all() {
    return names;
  }

  /**
   * What took the place of a property that Spring Boot has removed and would ignore.
   *
   * @return a name, or an empty text if there is none; empty if the property was not removed
   */
  Optional<String> replacement(String given) {
    String name = uniform(given);
    return uniform.contains(name) ? Optional.empty() : Optional.ofNullable(removed.get(name));
  }

  boolean contains(String given) {
    String name = uniform(given);
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (prefixes.contains(name.substring(0, dot))) {
        return true;
      }
    }
    return uniform.contains(name);
  }

  /** Returns a name in the form that Spring Boot compares; an index becomes an element. */
  private static String uniform(String name) {
    return name.replaceAll("[-_\\]]", "").replace('[', '.').toLowerCase(Locale.ROOT);
  }
}
